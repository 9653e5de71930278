import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { InitFailed } from "./plugin-client.ts";
import { start } from "./start.ts";

test("a cancel ends what waits and keeps its id in the state, and the next request starts anew", async () => {
  const { server, plugin } = await start({
    emulator: { behaviour: { clone_delay_ms: 600_000 } },
    config: { cloneTimeout: "1h" },
  });
  const project = await plugin.create("Project", { name: "shop" });
  const staging = await plugin.create("Environment", { project: project.id, name: "staging" });
  const inputs = { project: project.id, name: "copy", cloneFrom: staging.id };
  const cloning = plugin.create("Environment", inputs).catch((error: unknown) => error);
  const isRequested = async () => (await server.writes()).some(({ path }) => path.endsWith("/clone"));
  while (!(await isRequested())) await sleep(50);
  await plugin.cancel();
  const failure = await cloning;
  if (!(failure instanceof InitFailed)) throw failure;
  expect(failure.id).toMatch(/^[0-9a-f-]{36}$/);
  expect(failure.reasons.join("\n")).toContain("interrupted");

  // The cancel at the end of a run must not end what comes later.
  expect(await plugin.create("Project", { name: "other" })).toMatchObject({ outputs: { name: "other" } });
});
