"""Structure, statistics and prior together: the model."""
