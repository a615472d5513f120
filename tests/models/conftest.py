"""The local model, for the tests of this folder."""

from local_model import local_model

__all__ = ["local_model"]
