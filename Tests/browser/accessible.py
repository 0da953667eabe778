"""Looks for what keeps people out: at desktop and phone width, by day and by night."""

import pathlib

from story import desktop, phone

_script = (pathlib.Path(__file__).parent / "accessible.js").read_text()


def problems(page):
    """What is wrong with what the page shows now, each thing once, with where it was found first."""
    found = {}
    for size in (desktop, phone):
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            # Without motion: a colour that is still on its way is nobody's choice.
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for problem in page.evaluate(_script):
                found.setdefault(problem, f"{size['width']} px, {scheme}")
    page.set_viewport_size(desktop)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    return [f"{problem} ({where})" for problem, where in found.items()]
