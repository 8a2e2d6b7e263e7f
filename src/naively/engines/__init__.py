"""Ways to obtain the same statistics: here, from batches on this machine."""
