import { expect, onTestFinished, test } from "vitest";
import { UnfinishedError } from "../../../provider/lifecycle/errors.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { limitIn } from "../../../provider/lifecycle/inputs.ts";
import { Harness } from "../../fixtures/harness.ts";

test.each([
  ["5m", 300_000],
  ["1h30m", 5_400_000],
  ["1.5s", 1500],
  ["300ms", 300],
  ["1d", 86_400_000],
  ["soon", undefined],
])("customTimeouts of %s", (text, limit) => {
  expect(limitIn({ __timeouts: { create: text } }, "create")).toBe(limit);
  expect(limitIn({ __timeouts: { create: text } }, "delete")).toBe(undefined);
});

test("a creation waits no longer than customTimeouts says, and the state keeps the option for a deletion", async () => {
  const server = await Harness.start({ clock: "frozen", behaviour: { clone_delay_ms: 1500 } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const { url, tokens } = server.emulator;
  const environment = { INFRASYNC_BASE_URL: url, INFRASYNC_TOKEN: tokens.admin };
  const next = () => new Lifecycle(environment, undefined, server.clock);
  const project = await next().create("Project", { name: "shop" }, undefined);
  const inputs = { project: project.id, name: "staging" };
  const source = await next().create("Environment", inputs, undefined);

  const option = { __timeouts: { create: "500ms", update: "1m" } };
  const copy = { ...inputs, ...option, name: "copy", cloneFrom: source.id };
  const failed: unknown = await next()
    .create("Environment", copy, undefined)
    .catch((error: unknown) => error);
  if (!(failed instanceof UnfinishedError)) throw failed;
  expect(failed.message).toMatch(/could not be read completely within/);

  const { outs } = await next().update("Environment", failed.id, failed.properties, copy, undefined);
  expect(outs).toMatchObject({ name: "copy", ...option });
  const { props } = await next().read("Environment", failed.id, outs, undefined);
  expect(props).toMatchObject(option);
});
