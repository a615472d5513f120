"""Episodes: what was said, found again. One file a concept; import from those."""
