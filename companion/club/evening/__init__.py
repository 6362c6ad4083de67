"""An evening at a club: players, rounds of tables, results and a ranking. Its file of events is the truth.

Values and functions here are pure; only `evening_store` touches a disk.
"""
