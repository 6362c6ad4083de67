DROP TABLE summary, refused, line, game, device;
