// The greeting of a new gateway, in place of a list: connect it to a server, start without one, or load the sample data.

import { button } from "../buttons.js";
import { el } from "../dom.js";
import { t } from "../texts.js";

const ways = [
  {
    title: t("Connect to a server"),
    text: t("Keep classes of a Parse Server or tables of a Datasync server on this device. You work with them offline, and your changes are sent later."),
    label: t("Connect"),
    action: "connect",
  },
  {
    title: t("Start without a server"),
    text: t("Tidegate is then the server: apps and scripts store their objects here, and other Tidegates can be its replicas."),
    label: t("Create a class"),
    action: "addClass",
  },
  {
    title: t("Look around with sample data"),
    text: t("Creates the classes Holiday and Birthday with some objects. Once there is data, this gateway cannot be connected to a server."),
    label: t("Load the samples"),
    action: "loadSamples",
  },
];

/**
 * The greeting, as a message in place of the list.
 *
 * @param handlers {connect, addClass, loadSamples}
 */
export function greetingMessage(handlers) {
  return { stamp: "greeting", build: () => greeting(handlers) };
}

function greeting(handlers) {
  return el(
    "div",
    { class: "message greeting" },
    el("div", { class: "message-mark", "aria-hidden": "true" }),
    el("h2", { class: "message-title" }, t("Welcome to Tidegate")),
    el("p", {}, t("This gateway is new. How do you want to begin?")),
    el(
      "ul",
      { class: "greeting-ways" },
      ways.map(({ title, text, label, action }, at) =>
        el(
          "li",
          { class: "greeting-way" },
          el("h3", {}, title),
          el("p", {}, text),
          button(label, () => handlers[action](), { className: at === 0 ? "button-primary" : "" }),
        ),
      ),
    ),
  );
}
