"""Speed, measured side by side with its yardsticks in one run. Never imported by the package."""
