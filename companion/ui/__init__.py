"""The user interface as pure functions: key grammar, screens, pictures."""
