"""Programs with a command line of their own: `README.md` lists them."""
