"""Merge, as the engine's tests have it, over HTTP."""

from engine.test_merge import *  # noqa: F403
