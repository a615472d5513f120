"""The verbs: each loads data, applies the rules and saves the result."""
