"""What people see and touch, as pure functions: key grammar, screens, pictures."""
