"""The box, the keys of a log, the command line."""
