"""Compares Tidegate with alternative servers, and with the speed limits that SQLite and HTTP set on this machine."""
