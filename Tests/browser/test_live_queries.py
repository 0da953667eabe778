"""Live queries in a browser: a page of the gateway sends the messages of Parse's JavaScript SDK over a WebSocket."""

from daemon import wait_until
from page_test import PageTest

# The connection of the SDK, in short: it connects, subscribes, and after a lost connection subscribes again with the same request id.
# While it is away, it does not connect again.
client = """
(() => {
  const live = { events: [], subscribed: 0, isAway: false };
  const open = () => {
    const socket = new WebSocket(location.origin.replace("http", "ws") + "/parse");
    const send = (message) => socket.send(JSON.stringify(message));
    socket.onopen = () => send({ op: "connect", applicationId: "browser-tests", installationId: "browser" });
    socket.onmessage = (message) => {
      const data = JSON.parse(message.data);
      if (data.op === "connected") {
        send({ op: "subscribe", requestId: 1, query: { className: "Holiday", where: { kind: "live" } } });
      } else if (data.op === "subscribed") {
        live.subscribed += 1;
      } else {
        live.events.push(data.op + " " + data.object?.name);
      }
    };
    socket.onclose = () => setTimeout(openAgain, 100);
  };
  const openAgain = () => (live.isAway ? setTimeout(openAgain, 100) : open());
  open();
  window.live = live;
})()
"""


class LiveQueryTests(PageTest):
    def events(self):
        return self.page.evaluate("window.live.events")

    def subscribed(self, count):
        wait_until(lambda: self.page.evaluate("window.live.subscribed") >= count)

    def test_page_sees_the_changes_of_other_clients_offline_and_after_a_restart(self):
        self.page.evaluate(client)
        self.subscribed(1)
        self.replica.add("Holiday", name="Regatta", kind="live")
        wait_until(lambda: "create Regatta" in self.events())
        self.hub.stop()
        self.replica.add("Holiday", name="Low Tide", kind="live")
        wait_until(lambda: "create Low Tide" in self.events())
        self.watch.expect_error("WebSocket|ERR_CONNECTION_REFUSED|Failed to (load|fetch)|status of 5")
        self.page.evaluate("window.live.isAway = true")
        self.replica.process.kill()
        self.replica.process.wait()
        self.replica.start()
        self.replica.add("Holiday", name="Spring Tide", kind="live")
        self.page.evaluate("window.live.isAway = false")
        self.subscribed(2)
        wait_until(lambda: "create Spring Tide" in self.events())
