"""The screens: frozen values that take keys and return a view and the next screen."""
