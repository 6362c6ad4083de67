"""Adapters from the companion's ports to real pins, buses and panels; nothing here decides anything."""
