"""The only room that knows English: what a sentence says, whom it is about, when it happened, and how it reads as a fact."""
