"""Takes screenshots at desktop and phone size, in light and dark mode."""

from page_test import desktop, phone, root

directory = root / ".build/screenshots"


def take(page, name, with_details=True):
    """Takes the screenshots, then restores desktop size and light mode. `with_details=False` closes the details panel on the phone."""
    directory.mkdir(parents=True, exist_ok=True)
    details = page.locator(".panel-toggle[aria-expanded=true]")
    for device, size in (("desktop", desktop), ("phone", phone)):
        page.set_viewport_size(size)
        closes = device == "phone" and not with_details and details.count() == 1 and page.locator("dialog[open], .object-pane").count() == 0
        if closes:
            page.locator(".panel-toggle").click()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.screenshot(path=directory / f"{name}-{device}-{scheme}.png")
        if closes:
            page.locator(".panel-toggle").click()
    page.set_viewport_size(desktop)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
