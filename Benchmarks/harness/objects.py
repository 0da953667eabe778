"""Test objects. Each takes about 300 bytes in an answer. They are equal in every run."""

import json
import random
import string

SEED = 6
LETTERS = string.ascii_letters + string.digits
# About `GROUP_SIZE` objects have the same value of `group`. `shade` has `SHADES` different values.
GROUP_SIZE = 100
SHADES = 100
# The passwords of the users that log in.
PASSWORDS = [f"a password of the benchmarks {i}" for i in range(20)]


def object_ids(class_name: str, count: int) -> list[str]:
    chosen = random.Random(f"{SEED} ids {class_name}")
    return ["".join(chosen.choices(LETTERS, k=10)) for _ in range(count)]


def bodies(class_name: str, count: int):
    """The fields of each object, as a client sends them."""
    chosen = random.Random(f"{SEED} fields {class_name}")
    groups = max(1, count // GROUP_SIZE)
    for i in range(count):
        yield {
            "name": f"Object {i}",
            "group": group(i % groups),
            "rank": chosen.randrange(1_000_000),
            "shade": i % SHADES,
            "counter": 0,
            "done": chosen.random() < 0.5,
            "at": {"__type": "Date", "iso": f"2027-01-{1 + i % 28:02}T12:00:00.000Z"},
            "tags": [f"t{chosen.randrange(50)}"],
            "note": "".join(chosen.choices(LETTERS, k=30)),
        }


def group(number: int) -> str:
    return f"g{number:05}"


def group_names(count: int) -> list[str]:
    """The values of `group` in a class with `count` objects, in random order."""
    names = [group(i) for i in range(max(1, count // GROUP_SIZE))]
    random.Random(f"{SEED} groups").shuffle(names)
    return names


def shuffled(values: list, purpose: str) -> list:
    values = list(values)
    random.Random(f"{SEED} {purpose}").shuffle(values)
    return values


def create_batches(class_name: str, fields, size: int, ids=None):
    """Bodies of `/batch` requests. Each creates up to `size` objects."""
    requests = []
    for i, body in enumerate(fields):
        if ids is not None:
            body = {"objectId": ids[i], **body}
        requests.append({"method": "POST", "path": f"/classes/{class_name}", "body": body})
        if len(requests) == size:
            yield compact({"requests": requests})
            requests = []
    if requests:
        yield compact({"requests": requests})


def compact(value) -> str:
    return json.dumps(value, separators=(",", ":"))
