"""Screenshots of a state, as a desktop and a phone show it, by day and by night."""

from story import desktop, phone, pictures


def take(page, name, with_details=True):
    """Leaves the page as it was: wide, and light. On a phone the details come before all else, if they are open."""
    pictures.mkdir(parents=True, exist_ok=True)
    details = page.locator(".panel-toggle[aria-expanded=true]")
    for device, size in (("desktop", desktop), ("phone", phone)):
        page.set_viewport_size(size)
        closes = device == "phone" and not with_details and details.count() == 1 and page.get_by_role("dialog").count() == 0
        if closes:
            page.locator(".panel-toggle").click()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.screenshot(path=pictures / f"{name}-{device}-{scheme}.png")
        if closes:
            page.locator(".panel-toggle").click()
    page.set_viewport_size(desktop)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")
