"""The table as plain data for pages that show it without the panel: phones, a television."""
