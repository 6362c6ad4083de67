"""The tests: sentences about the games and the box."""
