"""The machine around the box: for each feature its status, its actions and its screens."""
