"""Record, as the engine's tests have it, over HTTP."""

from engine.test_record import *  # noqa: F403
