"""Oracle: an independent second implementation of the rules, slow and simple, without the companion's code."""
