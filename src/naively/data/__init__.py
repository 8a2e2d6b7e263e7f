"""Tables as they are become batches of columns."""
