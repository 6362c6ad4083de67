"""What games share: pure helpers for events, prompts, forms, tricks, scores and tables; no game's own rules."""
