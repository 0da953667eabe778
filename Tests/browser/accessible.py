"""Checks the accessibility of the page at several widths, in light and dark mode: with axe, and with a script of our own for what axe does
not check."""

import pathlib

from axe_playwright_python.base import AXE_SCRIPT

from page_test import desktop, phone

_script = (pathlib.Path(__file__).parent / "accessible.js").read_text()
_axe = """(options) => axe.run({ resultTypes: ["violations"], preload: false, ...options }).then(({ violations }) => violations.flatMap(
    ({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.replace(/\\s+/g, " ").slice(0, 140)}`)))"""
# A tooltip needs no landmark, because screen readers read it with the element that it describes. The rest is the default of axe.
_regions = """axe.configure({ checks: [{ id: "region", options: {
    regionMatcher: "dialog, [role=dialog], [role=alertdialog], svg, [role=tooltip]" } }] })"""
_all = {}
# Axe takes as long for the contrast as for all other rules together. Our script takes a tenth of this time, and checks the contrast of each
# state of the page. `test_views.py` lets axe check the contrast of the main views.
_all_but_contrast = {"rules": {"color-contrast": {"enabled": False}}}
_contrast = {"runOnly": ["color-contrast"]}


def _axe_problems(page, options):
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
        page.evaluate(_regions)
    return page.evaluate(_axe, options)


def problems(page, sizes=(desktop, phone), with_contrast_of_axe=False, with_axe=True):
    """The accessibility problems of the current page. Each problem is listed once, with the first size and mode that show it.

    Axe waits by timers, so it never ends while a test has paused the clock of the page: such a test needs `with_axe=False`."""
    found = {}
    # Of the rules of axe, only that for the contrast depends on the mode.
    light, dark = (_all, _contrast) if with_contrast_of_axe else (_all_but_contrast, None)
    for size in sizes:
        page.set_viewport_size(size)
        for scheme, options in (("light", light), ("dark", dark)):
            # Without reduced motion, colour transitions would distort the contrast.
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            shown = page.evaluate(_script) + ([] if options is None or not with_axe else _axe_problems(page, options))
            for problem in shown:
                found.setdefault(problem, f"{size['width']} px, {scheme}")
    page.set_viewport_size(desktop)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
    return [f"{problem} ({where})" for problem, where in found.items()]
