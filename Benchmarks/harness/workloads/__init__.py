"""The workloads, one file each, in the order of the result table."""

from .change_feed import ChangeFeed
from .creates import Creates
from .deltas import Deltas
from .first_sync import FirstSync
from .growth import Growth
from .idle import Idle
from .lists import Lists
from .live_queries import LiveQueries
from .log_ins import LogIns
from .memory import Memory
from .nothing_new import NothingNew
from .people import People
from .push import Push
from .reads import Reads
from .reads_during_sync import ReadsDuringSync
from .rights import Rights
from .rivals import Rivals
from .scan import Scan
from .start import Start

ALL = [
    Reads, Lists, Rights, Creates, Rivals, Scan, FirstSync, NothingNew, Deltas, Push, ReadsDuringSync, ChangeFeed, LiveQueries, Start, Idle, People, LogIns,
    Memory, Growth]
