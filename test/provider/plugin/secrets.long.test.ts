import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { kindOf } from "../../../core/model/kinds/index.ts";
import { checkConfiguration, configOf } from "../../../provider/plugin/configuration.ts";
import { Provider } from "../../../provider/plugin/provider.ts";
import { Hostile } from "../../fixtures/hostile-server.ts";
import { secretPrograms } from "../lifecycle/secret-programs.ts";
import { secret } from "./plugin-client.ts";
import { start, startAgain } from "./start.ts";

const canary = "canary-5f1e7c";
const signature = "4dabf18193072939515e22adb298388d";

/** Properties as they are in a state: what is secret is encrypted. */
function encrypted(value: Fields[string] | undefined): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(encrypted);
  if (signature in value) return "[encrypted]";
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, encrypted(inner)]));
}

test("the token is secret, whether it was set so or not", async () => {
  const { plugin } = await start();
  const { inputs, failures } = await plugin.checkConfig({
    token: canary,
    baseUrl: "https://api.example.com",
  });
  expect(failures).toEqual([]);
  expect(inputs).toEqual({ token: secret(canary), baseUrl: "https://api.example.com" });
});

test("a token that the engine hands over as a plain value is no reason for a warning: the engine does so for every token", async () => {
  expect(checkConfiguration({ token: canary }).failures).toEqual([]);
});

test("mistakes in the configuration are reported at their setting", async () => {
  const { plugin } = await start();
  const { failures } = await plugin.checkConfig({
    tokn: "a",
    onQuota: "stop",
    cloneTimeout: "soon",
    version: "1",
  });
  expect(Object.fromEntries(failures.map(({ property, reason }) => [property, reason]))).toEqual({
    tokn: "there is no setting infrasync:tokn; did you mean token?",
    onQuota: 'infrasync:onQuota cannot be "stop"; write wait or fail',
    cloneTimeout:
      'infrasync:cloneTimeout cannot be "soon"; write a whole number and a unit (s, m, h, d or w), such as 90s, 12h or 3d',
  });
});

test("no change of the configuration replaces the provider", async () => {
  const { plugin } = await start();
  const olds = { token: secret("old"), baseUrl: "https://one.example.com", organization: "acme" };
  const news = { token: secret("new"), baseUrl: "https://two.example.com", organization: "other" };
  expect(await plugin.diffConfig(olds, news)).toMatchObject({ changes: true, replaces: [] });
  expect(await plugin.diffConfig(olds, olds)).toMatchObject({ changes: false, replaces: [] });
});

test("the token of the environment wins over that of the configuration", async () => {
  const { server } = await start();
  const token = server.emulator.tokens.admin;
  const plugin = await startAgain(server, {
    environment: { INFRASYNC_TOKEN: token },
    config: { token: "old" },
  });
  expect(await plugin.create("Project", { name: "shop" })).toMatchObject({ outputs: { name: "shop" } });
});

test("no secret is readable in the state: neither inputs nor outputs, after a creation, an update and a refresh", async () => {
  const { server, plugin } = await start();
  const project = await plugin.create("Project", {
    name: "shop",
    description: secret(canary),
    variables: { A: { value: secret(canary) }, B: "readable", C: secret(canary) },
    secrets: { DB: canary, OTHER: { value: canary, version: "2" } },
  });
  const later = await startAgain(server, { config: { allowLosses: "project:shop" } });
  const changed = await later.update(project, {
    name: "shop",
    description: "readable",
    variables: { A: { value: secret(canary) }, B: "readable" },
    secrets: { DB: `${canary}-2` },
  });
  const refreshed = await later.read(changed);
  for (const entry of [project, changed, refreshed]) {
    expect(JSON.stringify(encrypted(entry?.inputs))).not.toContain(canary);
    expect(JSON.stringify(encrypted(entry?.outputs))).not.toContain(canary);
    expect(JSON.stringify(encrypted(entry?.outputs))).toContain("readable");
  }
  // The values are there, so that the next run can compare them.
  expect(await later.diff(changed, changed.inputs)).toMatchObject({ changes: false });
  expect(refreshed?.outputs).toMatchObject({ secrets: secret({ DB: { value: `${canary}-2` } }) });
});

test("no secret input of any kind is readable at its creation, its change, a refresh or an error, and a change names it", async () => {
  const { server } = await start();
  let isFailing = false;
  await using proxy = await Hostile.open(server.emulator.url, async ({ method, body }) =>
    isFailing && method !== "GET" ? { status: 400, body: JSON.stringify({ message: body }) } : undefined,
  );
  const config = { baseUrl: proxy.url, allowInfrastructure: "*", allowLosses: "**" };
  const plugin = await startAgain(server, { config });
  const project = await plugin.create("Project", { name: "shop" });
  const place = { project: project.id, name: "staging", cluster: "eu-west" };
  const environment = await plugin.create("Environment", place);
  for (const [path, inputsFor] of Object.entries(secretPrograms)) {
    const [kind = ""] = path.split(".");
    const parents: Fields = { environment: environment.id, project: project.id };
    const { parentMember } = kindOf(kind);
    const parent = parentMember === undefined ? {} : { [parentMember]: parents[parentMember] ?? "" };
    const inputs = (value: string): Fields => ({
      ...inputsFor(value),
      name: `of ${path}`.slice(0, 60),
      ...parent,
    });
    const run = await startAgain(server, { config });
    const made = await run.create(kind, inputs(canary));
    const changed = await run.update(made, inputs(`${canary}-2`));
    const refreshed = await run.read(changed);
    const { details } = await run.diff(changed, inputs(`${canary}-3`));
    isFailing = true;
    const failure = await run.update(changed, inputs(`${canary}-4`)).catch(String);
    isFailing = false;
    const shown = [made, changed, refreshed].map((entry) => [
      encrypted(entry?.inputs),
      encrypted(entry?.outputs),
    ]);
    expect([path, JSON.stringify(shown).includes(canary)]).toEqual([path, false]);
    expect([path, Object.values(details)]).toEqual([path, ["UPDATE*"]]);
    expect([path, String(failure).includes("400 on"), JSON.stringify(failure).includes(canary)]).toEqual([
      path,
      true,
      false,
    ]);
  }
});

test("a changed secret is a change, at its key", async () => {
  const { plugin, server } = await start();
  const entry = await plugin.create("Project", { name: "shop", secrets: { DB: "one" } });
  expect((await plugin.diff(entry, { name: "shop", secrets: secret({ DB: "two" }) })).details).toEqual({
    "secrets.DB": "UPDATE*",
  });
  const reported: string[] = [];
  const provider = new Provider({}, (_severity, message) => reported.push(message));
  provider.config = configOf({ token: server.emulator.tokens.admin, baseUrl: server.emulator.url });
  const inputs = { name: "shop", secrets: { DB: "two", NEW: "three" }, __secret: ["/secrets"] };
  const olds = { oldInputs: { name: "shop" }, oldOutputs: { ...entry.outputs, secrets: { DB: "one" } } };
  await provider.diff("urn:pulumi:dev::shop::infrasync:index:Project::shop", entry.id, { ...olds, inputs });
  expect(reported).toEqual([
    'secrets.DB of the Project "shop" changes',
    'secrets.NEW of the Project "shop" is added',
  ]);
});

test("a secret reference and its place in the memory of the state are secret", async () => {
  const { plugin } = await start();
  const project = await plugin.create("Project", { name: "shop" });
  const staging = await plugin.create("Environment", {
    project: project.id,
    name: "staging",
    cluster: secret("eu-west"),
  });
  expect(encrypted(staging.outputs)).toMatchObject({ cluster: "[encrypted]", __stated: "[encrypted]" });
  expect(await plugin.diff(staging, staging.inputs)).toMatchObject({ changes: false });
});

test("no message has the value of a secret input", async () => {
  const { server, plugin } = await start();
  const { failures, inputs } = await plugin.check("Job", {
    environment: "8a5d8b0e-5c2f-4e7a-9f37-2f0d5f1f0c55",
    name: "nightly",
    source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
    schedule: { cronjob: { scheduledAt: secret(canary) } },
    secrets: { DB: { valeu: canary } },
  });
  expect(failures.length).toBeGreaterThanOrEqual(2);
  expect(JSON.stringify(failures)).not.toContain(canary);
  expect(JSON.stringify(encrypted(inputs))).not.toContain(canary);
  const project = await plugin.create("Project", { name: "shop" });
  const environment: Fields = { project: project.id, name: secret(canary) };
  await plugin.create("Environment", environment);
  const again = await startAgain(server);
  await expect(again.create("Environment", environment)).rejects.toThrow(
    'the name is taken: there is an Environment "[secret]"',
  );
});

test("a difference names a changed value of a secret Terraform variable, and the state never shows it", async () => {
  const { plugin } = await start();
  const project = await plugin.create("Project", { name: "shop" });
  const environment = await plugin.create("Environment", {
    project: project.id,
    name: "staging",
    cluster: "eu-west",
  });
  const inputs = (value: string) => ({
    environment: environment.id,
    name: "network",
    terraformFilesSource: { gitRepository: { url: "https://github.com/acme/network" } },
    backend: { kubernetes: {} },
    engine: "TERRAFORM",
    providerVersion: { explicitVersion: "1.9" },
    jobResources: { cpuMilli: 500, ramMib: 512, storageGib: 1 },
    terraformVariablesSource: { tfVars: [{ key: "KEY", value, secret: true }] },
  });
  const network = await plugin.create("Terraform", inputs(canary));
  expect((await plugin.diff(network, inputs(canary))).details).toEqual({});
  expect((await plugin.diff(network, inputs("other"))).details).toEqual({
    "terraformVariablesSource.tfVars[0].value": "UPDATE*",
  });
  const { outputs } = (await plugin.read(network)) ?? {};
  for (const each of [network.outputs, outputs, network.inputs])
    expect(JSON.stringify(encrypted(each))).not.toContain(canary);
});
