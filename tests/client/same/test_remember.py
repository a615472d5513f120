"""Remember, as the engine's tests have it, over HTTP."""

from engine.test_remember import *  # noqa: F403

# The judge's own statements have no route.
del test_scenario_4_is_kept_for_a_caller_and_not_for_the_judge  # noqa: F821
