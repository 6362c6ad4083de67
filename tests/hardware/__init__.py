"""The panel and its fakes."""
