"""Read the rules a second time: slow, plain referees that know nothing of the companion's own code."""
