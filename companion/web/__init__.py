"""The page: the device drawn in a browser, for computers and phones at the table."""
