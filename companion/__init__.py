"""A scorekeeper that sits beside a card table."""
