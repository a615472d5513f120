"""Pin, as the engine's tests have it, over HTTP."""

from engine.test_pin import *  # noqa: F403
