"""Eternity, rule by rule."""
