"""Screenshots of a state, as a desktop and a phone show it, by day and by night."""

from story import desktop, phone, pictures


def take(page, name):
    """Leaves the page as it was: wide, and light."""
    pictures.mkdir(parents=True, exist_ok=True)
    for device, size in (("desktop", desktop), ("phone", phone)):
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.screenshot(path=pictures / f"{name}-{device}-{scheme}.png")
    page.set_viewport_size(desktop)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
