"""Export and import: Recollect's own document, and the archives of other products."""
