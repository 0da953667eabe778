"""Figures that were measured elsewhere: Parse Server does not run beside the others here.

Parse Server 7.1.0 on Node 20 and PostgreSQL 15, over loopback, two cores, 16 clients, fsync on. GET by id and creates were
measured on a noisy machine; of the creates this is the best figure, and no number of clients is known for lists.
"""

from .report import Figure

PARSE_SERVER = "Parse Server 7.1.0 (measured before)"
GET_BY_ID = Figure("/s", [1549])
LIST_OF_100 = Figure("/s", [407])
CREATE = Figure("/s", [1118])
