"""Key grammar, screens, pictures."""
