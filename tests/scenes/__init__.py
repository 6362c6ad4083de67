"""Every kind of screen as the real application shows it: for golden pictures, documents, and ``make screens``."""
