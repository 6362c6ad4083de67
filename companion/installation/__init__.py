"""Installed versions of the program: where they are, how one is built beside the others, checked and chosen.

Standard library only: these modules also run from the wheel with the system's Python, before anything is installed.
"""
