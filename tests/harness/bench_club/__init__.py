"""Measures a club's hub: lines lost or doubled, how soon an entry is shown, a backlog, the page with many tables."""
