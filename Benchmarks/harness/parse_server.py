"""Figures of Parse Server from an earlier measurement. The benchmarks do not run Parse Server.

Setup: Parse Server 7.1.0 on Node 20 and PostgreSQL 15, over loopback, two cores, 16 clients, fsync on. Other programs ran on the
machine during the measurement. The figure for creates is the best of several runs. The number of clients for lists is unknown.
"""

from .report import Figure

PARSE_SERVER = "Parse Server 7.1.0 (measured before)"
GET_BY_ID = Figure("/s", [1549])
LIST_OF_100 = Figure("/s", [407])
CREATE = Figure("/s", [1118])
