"""What runs behind: the worker, and a file for each kind of job that it carries out."""
