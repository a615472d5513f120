"""The faces: they translate and delegate, and hold no rule of the domain."""
