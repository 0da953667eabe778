"""Writes the list of the program's parts as CycloneDX 1.6, and checks it. packaging/sbom runs this file.

The parts are the pinned Swift packages, the Swift libraries, and the shared libraries that the programs load, with the versions
of the Debian packages of this machine.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

from cyclonedx.model import ExternalReference, ExternalReferenceType, Property, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

LICENSE_TABLE = re.compile(r"^\| \[([^\]]+)\]\([^)]*\) ([0-9.]+)[^|]*\| \[(MIT|Apache License 2\.0[^\]]*)\]", re.MULTILINE)
EXPRESSIONS = {
    "MIT": "MIT", "Apache License 2.0": "Apache-2.0",
    "Apache License 2.0 with Runtime Library Exception": "Apache-2.0 WITH Swift-exception"}


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def licences():
    """The licences of the Swift packages by lower-case name, from NOTICES.md."""
    found = LICENSE_TABLE.findall(pathlib.Path("NOTICES.md").read_text(encoding="utf-8"))
    return {name.lower(): EXPRESSIONS[licence] for name, _, licence in found}


def swift_packages():
    known = licences()
    for pin in json.loads(pathlib.Path("Package.resolved").read_text(encoding="utf-8"))["pins"]:
        address = pin["location"].removesuffix(".git")
        host, owner, name = address.removeprefix("https://").split("/")
        version = pin["state"]["version"]
        purl = PackageURL("swift", f"{host}/{owner}", name, version)
        yield Component(
            type=ComponentType.LIBRARY, name=name, version=version, purl=purl, bom_ref=str(purl),
            licenses=[LicenseExpression(known[pin["identity"]])],
            external_references=[ExternalReference(type=ExternalReferenceType.VCS, url=XsUri(address))],
            properties=[Property(name="revision", value=pin["state"]["revision"])])


def swift_libraries():
    version = re.search(r"Swift version ([0-9.]+)", output("swift", "--version"))[1]
    return Component(
        type=ComponentType.LIBRARY, name="swift", version=version, bom_ref=f"swift-{version}",
        description="the Swift standard library and Foundation, linked statically",
        licenses=[LicenseExpression("Apache-2.0 WITH Swift-exception")])


def shared_libraries(programs):
    """The Debian packages of the libraries that the programs name. Libraries of these libraries are left out."""
    names = set()
    for program in programs:
        names.update(re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "--dynamic", program)))
    paths = dict(re.findall(r"^\s*(\S+) .* => (\S+)$", output("ldconfig", "-p"), re.MULTILINE))
    packages = {}
    for name in sorted(names & paths.keys()):
        path = os.path.realpath(paths[name])
        # Older packages name a file below /lib, which is a link to /usr/lib.
        owners = [path, path.removeprefix("/usr")]
        found = next(done for done in (subprocess.run(
            ["dpkg", "--search", owner], capture_output=True, text=True) for owner in owners) if done.returncode == 0)
        packages.setdefault(found.stdout.split(": ")[0].split(":")[0], []).append(name)
    for package, libraries in sorted(packages.items()):
        version = output("dpkg-query", "--show", "--showformat=${Version}", package)
        purl = PackageURL("deb", "debian", package, version)
        yield Component(
            type=ComponentType.LIBRARY, name=package, version=version, purl=purl, bom_ref=str(purl),
            description=f"linked dynamically: {', '.join(libraries)}")


def main(root, file):
    programs = [f"{root}/usr/bin/tidegate", f"{root}/usr/bin/tidegate-thumbnail"]
    version = output(programs[0], "--version").strip()
    tidegate = Component(
        type=ComponentType.APPLICATION, name="tidegate", version=version, bom_ref="tidegate",
        licenses=[LicenseExpression("Apache-2.0")])
    parts = [*swift_packages(), swift_libraries(), *shared_libraries(programs)]
    bom = Bom(components=parts, serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"tidegate-{version}-{os.environ['SOURCE_DATE_EPOCH']}"))
    bom.metadata.component = tidegate
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC)
    bom.register_dependency(tidegate, parts)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    errors = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if errors:
        sys.exit(f"sbom: the list is not valid: {errors}")
    pathlib.Path(file).write_text(text + "\n", encoding="utf-8")


main(*sys.argv[1:])
