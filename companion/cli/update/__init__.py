"""Updates of an installed box: finding, checking and installing a package, and the sentences at the next start."""
