"""Track, as the engine's tests have it, over HTTP."""

from engine.test_track import *  # noqa: F403
