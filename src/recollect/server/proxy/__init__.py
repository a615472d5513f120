"""The proxy: OpenAI's own routes, so that a client gains memory by changing its address."""
