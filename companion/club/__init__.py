"""The hub of a club: stores every line of every table, computes scores from them, and serves pages about all tables.

It runs on one computer of the club, with an MQTT broker and PostgreSQL. A box does without it.
"""
