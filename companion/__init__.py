"""Tabletop Companion: a scorekeeper for card tables."""
