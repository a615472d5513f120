"""The Model Context Protocol: the memory as tools, resources and a prompt, over standard input/output and HTTP."""
