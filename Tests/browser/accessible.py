"""Checks the accessibility of the page at desktop and phone width, in light and dark mode."""

import pathlib

from page_test import desktop, phone

_script = (pathlib.Path(__file__).parent / "accessible.js").read_text()


def problems(page, sizes=(desktop, phone)):
    """The accessibility problems of the current page. Each problem is listed once, with the first size and mode that show it."""
    found = {}
    for size in sizes:
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            # Without reduced motion, colour transitions would distort the contrast.
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for problem in page.evaluate(_script):
                found.setdefault(problem, f"{size['width']} px, {scheme}")
    page.set_viewport_size(desktop)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    return [f"{problem} ({where})" for problem, where in found.items()]
