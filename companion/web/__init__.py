"""The page: the device drawn in a browser, for a computer without one and for phones at the table."""
