"""One index per user over facts and one over messages: vectors, words, filters and ranking."""
