"""Values and protocols that every game uses; pure: no clock, no randomness, no files, no threads."""
