import { globSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unknownValue } from "../../../core/problems/unknown.ts";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();
const { pass, nightly } = staging;

function start(settings: Record<string, string> = {}) {
  const { url, tokens } = staging.server.emulator;
  const values: Record<string, string> = {
    "infrasync:baseUrl": url,
    "infrasync:token": tokens.admin,
    ...settings,
  };
  const warnings: string[] = [];
  const lifecycle = new Lifecycle({}, (message) => warnings.push(message));
  return { lifecycle, warnings, config: { get: (key: string) => values[key] } };
}

test("the message of a policy stands as the team has written it", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "policies-")), "policies.yaml");
  const policy = {
    name: "few",
    kinds: ["Job"],
    when: "after.max_nb_restart > 3",
    message: "max_nb_restart is costly",
  };
  writeFileSync(file, JSON.stringify({ policies: [policy] }));
  const { lifecycle, config } = start({ "infrasync:policies": file });
  const { id, outs } = await lifecycle.create("Job", nightly(), config);
  const more = { ...nightly(), maxNbRestart: 5 };
  await expect(lifecycle.update("Job", id, outs, more, config)).rejects.toThrow(
    "policy few: max_nb_restart is costly",
  );
});

test("a note names fields as the program does", async () => {
  const { lifecycle, config, warnings } = start();
  const at = "2026-01-01T08:00:00Z";
  const rule = {
    project: staging.environment.inputs["project"] ?? "",
    name: "nights",
    autoStop: true,
    startTime: at,
    stopTime: at,
    timezone: "Europe/Paris",
    mode: "STAGING",
    cluster: "eu-west",
    weekdays: ["MONDAY"],
  };
  const { failures } = await lifecycle.check("DeploymentRule", {}, rule, config);
  expect(failures).toEqual([]);
  expect(warnings.join("\n")).toContain("stopTime: is the startTime too");
});

test("a refusal names fields as the program does, and keys as they are", async () => {
  const job = await (await pass()).create("Job", nightly());
  await addVariable(job.id, "api_url");
  const update = (await pass()).up(job, { ...nightly(), secrets: { api_url: "x" } });
  await expect(update).rejects.toThrow("api_url is a variable now, and the secret would overwrite it");
});

async function addVariable(parent: string, key: string): Promise<void> {
  const variable = { key, value: "x", is_secret: false, variable_scope: "JOB", variable_parent_id: parent };
  await staging.server.api("POST", "/variable", variable);
}

async function secretKeys(parent: string): Promise<string[]> {
  const { results } = (await staging.server.api("GET", `/variable?parent_id=${parent}&scope=JOB`)) as {
    results: { key: string; variable_type: string; is_secret: boolean; scope: string }[];
  };
  return results.filter(({ is_secret: isSecret }) => isSecret).map(({ key }) => key);
}

test("a variable of the server becomes a secret in the two steps of the advice", async () => {
  const job = await (await pass()).create("Job", nightly());
  await addVariable(job.id, "KEY");
  const secrets = { secrets: { KEY: "x" } };
  await expect((await pass()).up(job, { ...nightly(), ...secrets })).rejects.toThrow(
    "declare KEY under variables and run `pulumi up`; to make the variable a secret, move it to secrets after that",
  );
  const { entry } = await (await pass()).up(job, { ...nightly(), variables: { KEY: "x" } });
  await (await pass()).up(entry, { ...nightly(), ...secrets });
  expect(await secretKeys(job.id)).toEqual(["KEY"]);
});

test("a variable of a clone becomes a secret in the two steps of the advice", async () => {
  const source = await (
    await pass()
  ).create("Job", { ...nightly(), name: "source", variables: { KEY: "x" } });
  const clone = { environment: staging.environment.id, name: "copy", cloneFrom: source.id };
  const copy = await (await pass()).create("Job", clone);
  const { entry } = await (await pass()).up(copy, { ...clone, variables: { KEY: "x" } });
  await (await pass()).up(entry, { ...clone, secrets: { KEY: "x" } });
  expect(await secretKeys(copy.id)).toEqual(["KEY"]);
});

test("advice names the variable that overrides the configuration", async () => {
  const { url, tokens } = staging.server.emulator;
  const settings: Record<string, string> = { baseUrl: url, token: tokens.admin, protect: "job:shop/**" };
  const config = { get: (key: string) => settings[key.replace("infrasync:", "")] };
  const { id, outs } = await start().lifecycle.create("Job", nightly(), start().config);
  const removed = (environment: NodeJS.ProcessEnv) =>
    new Lifecycle(environment).remove("Job", id, outs, config);
  await expect(removed({})).rejects.toThrow("out of infrasync:protect (or INFRASYNC_PROTECT)");
  const variables = { INFRASYNC_PROTECT: "job:shop/**" };
  await expect(removed(variables)).rejects.toThrow(/ out of INFRASYNC_PROTECT$/);
});

test("a policy warns of no value that is not known yet", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "policies-")), "policies.yaml");
  const policy = { name: "plain", effect: "warn", when: 'after.description != ""', message: "say nothing" };
  writeFileSync(file, JSON.stringify({ policies: [policy] }));
  const { lifecycle, config, warnings } = start({ "infrasync:policies": file });
  const job = (description: string) => ({ ...nightly(), name: "other", description });
  await lifecycle.preview("Job", undefined, job(unknownValue), config);
  expect(warnings).toEqual([]);
  await lifecycle.preview("Job", undefined, job("x"), config);
  expect(warnings).toEqual([expect.stringContaining("policy plain: say nothing")]);
});

test("no source of the provider looks for words in a message", () => {
  const folder = join(import.meta.dirname, "..", "..", "..", "provider");
  const sources = globSync("{.,dynamic,lifecycle,plugin}/*.ts", { cwd: folder });
  expect(sources.length).toBeGreaterThan(40);
  // A pattern with a word and a space beside it, and a search for such a text.
  const search =
    /\/\^?(?:\w{2,} | \w{2,})[^/\n]*\/[a-z]*[,.;)]|\.(?:includes|startsWith|endsWith|indexOf|replaceAll|replace|split)\((["'`])(?:\w{2,} | \w{2,})/;
  for (const source of sources) {
    const lines = readFileSync(join(folder, source), "utf8").split("\n");
    const found = lines.filter((line) => search.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line));
    expect(found, source).toEqual([]);
  }
});
