"""Measures Tidegate against the limits of what it is made of, and against what people would use instead."""
