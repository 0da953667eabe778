// The first steps of a new gateway: connect it to a server, or load the sample data.

import { openConnectForm } from "./connect-form.js";
import { t } from "../texts.js";

/** The interval in milliseconds at which the page checks whether the gateway has restarted, and the maximum number of checks. */
const checkMs = 250;
const checksMax = 240;

/** @param openOwner `(token)`: opens the browser session of the person who runs the gateway; resolves also if there is none */
export function createSetupActions({ api, state, notices, reload, openOwner, goTo }) {
  let asked = false;

  /** Finds out once whether a standalone gateway without classes is new. */
  async function askWhetherNew() {
    asked = true;
    try {
      state.update({ isNew: (await api.setup.read()).isNew });
    } catch {
      // A gateway with users does not say it to everybody. The page then has no greeting.
    }
  }

  state.show(({ status }) => {
    if (!asked && status?.mode === "standalone" && status.classes.length === 0) askWhetherNew();
  });

  async function connect(connection) {
    const { ownerToken } = await api.setup.connect(connection);
    notices.remind(t("Tidegate restarts as a replica of the server."));
    await becomesReplica();
    if (ownerToken !== null) await openOwner(ownerToken);
    location.assign("#/");
    location.reload();
  }

  /** Waits until the gateway has restarted. It does not answer in between. */
  async function becomesReplica() {
    for (let count = 0; count < checksMax; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, checkMs));
      const status = await api.syncStatus().catch(() => null);
      if (status?.mode === "replica") return;
    }
    throw new Error(t("The gateway has not restarted within a minute. See its log."));
  }

  async function loadSamples() {
    try {
      await api.setup.samples();
      await reload();
      goTo(null);
      notices.tell(t("The sample data is loaded."));
    } catch (error) {
      notices.warn(error.message);
    }
  }

  return { connect: () => openConnectForm({ check: api.setup.check, connect }), loadSamples };
}
