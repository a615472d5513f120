"""Amend, as the engine's tests have it, over HTTP."""

from engine.test_amend import *  # noqa: F403
