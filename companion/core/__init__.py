"""Values and protocols every game is written in; pure: no clock, no chance, no files, no threads."""
