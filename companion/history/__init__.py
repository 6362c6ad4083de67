"""What finished games tell: results, statistics, ratings, exports. All of it is computed from the logs."""
