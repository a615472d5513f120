"""Forget, as the engine's tests have it, over HTTP."""

from engine.test_forget import *  # noqa: F403

# A receipt over HTTP has a 0 for what it always names, and the kept answers of the client's own writes.
del test_forget_a_memory  # noqa: F821
# There is nothing to flush here.
del test_uses_that_were_not_written_yet_do_not_bring_it_back  # noqa: F821
# About the files of a process that died.
del test_a_sweep_that_was_not_reached_is_made_up_for  # noqa: F821
