"""Tests of the worker: real databases, real processes; only the clock is a fake."""
