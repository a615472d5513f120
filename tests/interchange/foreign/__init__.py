"""Tests of other products' exports."""
