"""Adapters from the application's ports to real pins, buses and panels."""
