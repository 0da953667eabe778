"""Compares Tidegate with the limits of SQLite and HTTP on the same machine, and with alternative servers."""
