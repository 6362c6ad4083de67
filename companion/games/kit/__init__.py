"""Pure helpers shared by the games: events, prompts, forms, tricks, scores and tables. No game's own rules."""
