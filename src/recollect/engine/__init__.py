"""The verbs: each loads, lets the domain decide, and saves."""
