"""Tests of the recognition of names."""
