"""The screens: each a frozen value that takes keys and gives a view; no screen does anything itself."""
