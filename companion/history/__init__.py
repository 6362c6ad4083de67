"""Results, statistics, ratings and exports of finished games. All of it is computed from the logs."""
