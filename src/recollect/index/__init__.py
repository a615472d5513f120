"""Finding: one user's vectors and words held in memory, the features of a candidate, and the order of an answer."""
