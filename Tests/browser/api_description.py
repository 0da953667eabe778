"""The description of the API as JSON, for gateways that do not serve it."""

import json
import subprocess
import unittest
import urllib.error
import urllib.request

from page_test import root

_found = []


def as_json():
    """`openapi.yaml` as JSON. A Python with PyYAML converts it."""
    if not _found:
        convert = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout, default=str)"
        run = subprocess.run(["/usr/bin/env", "-i", "PATH=/usr/bin", "python3", "-c", convert, str(root / "openapi.yaml")], capture_output=True, text=True)
        if run.returncode != 0:
            raise unittest.SkipTest("no Python with PyYAML converts openapi.yaml")
        _found.append(json.loads(run.stdout))
    return _found[0]


def serve(context, daemon):
    """Lets the pages of a browser context read the description from a gateway that does not serve it."""
    try:
        with urllib.request.urlopen(daemon.url + "/openapi.json"):
            return
    except urllib.error.HTTPError as error:
        error.close()
    description = as_json()
    context.route("**/openapi.json", lambda route: route.fulfill(json=description))
