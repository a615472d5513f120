"""Entity graph, as the engine's tests have it, over HTTP."""

from engine.test_entity_graph import *  # noqa: F403
