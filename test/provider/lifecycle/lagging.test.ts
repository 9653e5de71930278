import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createEmulator } from "../../../emulator/index.ts";
import { fastClock } from "../../fixtures/fast-clock.ts";
import { send } from "../../fixtures/send.ts";
import { Stack } from "./stack.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

test("a program does not create again what another one has just created and no list shows yet", async () => {
  const behaviour = { list_delay_ms: 200_000, duplicate_names: true };
  const { url, tokens, close } = await createEmulator({ clock: "frozen", behaviour });
  const folder = await mkdtemp(join(tmpdir(), "lag-"));
  try {
    // No list lags for what was there when the server began.
    await send(`${url}/_emulator/clock`, {
      method: "POST",
      headers: { "x-emulator-control": "1" },
      body: { advance_ms: 60_000 },
    });
    const config = { "infrasync:baseUrl": url, "infrasync:token": tokens.admin };
    const stack = () => new Stack(config, { INFRASYNC_CACHE: folder }, fastClock());
    const depot = { kind: "Project", inputs: { name: "depot" } };
    await stack().up({ one: depot });
    await expect(stack().up({ another: depot })).rejects.toThrow(/there is a Project "depot" \(.*\) already/);
  } finally {
    await close();
    await removeFolder(folder);
  }
});
