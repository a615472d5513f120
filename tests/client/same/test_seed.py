"""Seed, as the engine's tests have it, over HTTP."""

from engine.test_seed import *  # noqa: F403
