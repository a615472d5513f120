"""What every request body has in common: exact types, no unknown fields. What the values must be, the engine says."""

from pydantic import BaseModel, ConfigDict


class Body(BaseModel):
    """A request body."""

    model_config = ConfigDict(extra="forbid", strict=True)
