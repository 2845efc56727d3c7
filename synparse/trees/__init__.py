"""Trees as values, reading and writing them, and pure algorithms on them. No torch."""
