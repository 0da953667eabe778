// The pane of one object with its buttons: the previous and the next object of the list, Copy as, and Delete.

import { iconButton } from "./buttons.js";
import { openCopyAs } from "./copy-as.js";
import { isDenied } from "./object-view.js";
import { openPane } from "./pane.js";
import { t } from "./texts.js";
import { isolated } from "./values.js";

/**
 * @param rows the rows of the shown list, see `shown-rows.js`
 * @param caller returns which keys a request of the page has, see `copy-as.js`
 * @param remove `(className, object)`: deletes an object
 */
export function createObjectPane({ api, names, rows, notices, caller, remove }) {
  /**
   * Returns the function that opens the pane of an object, for `openForm`.
   *
   * @param edit opens the pane of another object
   */
  return function paneOf(className, object, { asJson = false, takesFocus = true }, edit) {
    const origin = document.activeElement?.dataset?.focus;
    const tool = (words, iconName, run, { title = words, focus = words } = {}) => iconButton(words, iconName, run, { title, focus });

    function step(words, title, key, iconName, by) {
      const go = async () => {
        const next = await rows.beside(className, object, by).catch(() => null);
        if (next === null) return notices.announce(by < 0 ? t("This is the first object of the list.") : t("This is the last object of the list."));
        names.learn(className, [next]);
        edit(className, next, { asJson });
        notices.announce(t("{name} is open.", { name: isolated(names.of(className, next.objectId)) }));
        await rows.show(className, next).catch(() => {});
      };
      const control = tool(words, iconName, go, { title, focus: by < 0 ? "previous object" : "next object" });
      control.setAttribute("aria-keyshortcuts", `Alt+${key}`);
      control.setAttribute("aria-disabled", String(rows.isAtEnd(className, object, by)));
      return control;
    }

    async function copy() {
      const present = await api.read(className, object.objectId).catch(() => object);
      openCopyAs({ title: t("Copy {name}", { name: isolated(names.of(className, object.objectId)) }), className, object: present, caller: caller() });
    }

    return (options) => {
      const frame = openPane({
        ...options,
        takesFocus,
        tools: [
          step(t("Previous object"), t("Previous (Alt Page Up)"), "PageUp", "sortUp", -1),
          step(t("Next object"), t("Next (Alt Page Down)"), "PageDown", "sortDown", 1),
          tool(t("Copy as"), "copy", copy),
          !isDenied(object, "delete") && tool(t("Delete this object"), "trash", async () => (await frame.leave()) && remove(className, object), { title: t("Delete") }),
        ],
        returnFocus: () => rows.focus(className, object.objectId, origin),
      });
      return frame;
    };
  };
}
