import { expect, onTestFinished, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { Hostile } from "../../fixtures/hostile-server.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();

/** A provider with a server that rounds, trims and drops values, and its warnings. */
async function start() {
  const { url, tokens } = staging.server.emulator;
  const hostile = await Hostile.open(url, async ({ method, body, pass }) => {
    if (method === "GET" || body === "") return undefined;
    const { max_duration_seconds: _dropped, ...sent } = JSON.parse(body) as Fields;
    const cpu = Math.floor(Number(sent["cpu"] ?? 500) / 100) * 100;
    return pass(JSON.stringify({ ...sent, cpu, description: String(sent["description"] ?? "").trim() }));
  });
  onTestFinished(() => hostile[Symbol.asyncDispose]());
  const values: Record<string, string> = {
    "infrasync:baseUrl": hostile.url,
    "infrasync:token": tokens.admin,
  };
  const config = { get: (key: string) => values[key] };
  const warnings: string[] = [];
  const lifecycle = new Lifecycle({}, (warning) => void warnings.push(warning));
  return { lifecycle, config, warnings };
}

const inputs = () => ({
  ...staging.nightly(),
  cpu: 510,
  description: "every night ",
  maxDurationSeconds: 60,
});

test("create, diff and update each warn once of values that the server does not keep", async () => {
  const { lifecycle, config, warnings } = await start();
  const { id, outs } = await lifecycle.create("Job", inputs(), config);
  expect(warnings.splice(0)).toEqual([
    'the server did not keep all values of the Job "nightly": it kept "every night" instead of "every night " for description; it kept 500 instead of 510 for cpu; its answer does not have maxDurationSeconds. The next `pulumi up` will update it again; declare the value that the server has, or use `ignoreChanges`',
  ]);

  for (const _ of ["preview", "up"])
    expect(await lifecycle.diff("Job", id, outs, inputs(), config)).toMatchObject({ changes: true });
  expect(warnings.splice(0)).toEqual([
    'the server may not keep these properties of the Job "nightly" as the program declares them: description (only white space differs), maxDurationSeconds (the server has not shown the value). If every `pulumi up` updates them again, declare the value that the server has, or use `ignoreChanges`',
  ]);

  await lifecycle.update("Job", id, outs, { ...inputs(), cpu: 520 }, config);
  expect(warnings).toEqual([expect.stringContaining("it kept 500 instead of 520 for cpu")]);
});

test("a change that the server keeps causes no warning", async () => {
  const { lifecycle, config, warnings } = await start();
  const { id, outs } = await lifecycle.create("Job", staging.nightly(), config);
  const changed = { ...staging.nightly(), cpu: 1000, description: "every night", maxNbRestart: 1 };
  await lifecycle.diff("Job", id, outs, changed, config);
  const { outputs, inputs: environment, id: environmentId } = staging.environment;
  await lifecycle.diff("Environment", environmentId, outputs, { ...environment, cluster: "us-east" }, config);
  await lifecycle.update("Job", id, outs, changed, config);
  expect(warnings).toEqual([]);
});

test("a warning shows no value of a secret input", async () => {
  const { lifecycle, config, warnings } = await start();
  const secret = { ...inputs(), __secret: ["/description"] };
  await lifecycle.create("Job", secret, config);
  expect(warnings.join()).toContain("it kept another value of description");
  expect(warnings.join()).not.toContain("every night");
});
