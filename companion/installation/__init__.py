"""Installed versions of the program: where they are, and how one is put beside the others, checked and chosen."""
