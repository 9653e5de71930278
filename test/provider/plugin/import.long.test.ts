import { expect, test } from "vitest";
import { kindOf, pathNamesParent, kinds, referenceForm } from "../../../core/model/kinds/index.ts";
import type { Fields } from "../../../core/values/json.ts";
import { inputSchema } from "../../../provider/lifecycle/inputs.ts";
import { packageSchema } from "../../../tools/pulumi/schema/index.ts";
import type { Harness } from "../../fixtures/harness.ts";
import { consents, documents, everything } from "./every-kind.ts";
import type { PluginClient } from "./plugin-client.ts";
import { start, startAgain } from "./start.ts";

const resources = packageSchema("1.2.3")["resources"] as Record<string, Fields>;

async function startWithEverything(config: Fields = {}): Promise<{ server: Harness; plugin: PluginClient }> {
  const { server, plugin } = await start({ config });
  await server.reconcile(documents, consents);
  // Until then, the state of the backup changes by itself.
  await server.advance(60_000);
  return { server, plugin };
}

test.each<[string, Fields]>([
  ["its usual fields", {}],
  ["all its fields", { importAllFields: "true" }],
])("a resource of every kind is imported with %s, and its inputs show no change", async (_, config) => {
  expect(everything.map(([kind]) => kind).toSorted()).toEqual(kinds.map(({ name }) => name).toSorted());
  const { server, plugin } = await startWithEverything(config);
  const absent: string[] = [];
  for (const [kind, path] of everything) {
    const byPath = await plugin.import(kind, path);
    if (!byPath) throw new Error(`${path} was not found`);
    expect(byPath.id, path).toMatch(/^[0-9a-f-]{36}$/);
    const checked = await plugin.check(kind, byPath.inputs);
    // The API does not show secrets: the program has to state those that every request needs.
    const secret = { GitToken: "token", ScalewayCredentials: "scalewaySecretKey" }[kind];
    const missing = secret === undefined ? [] : [{ property: "", reason: `${secret} is needed` }];
    expect(checked.failures, path).toEqual(missing);
    // The engine compares with the inputs of the program, which declares what was imported.
    expect(await plugin.diff(byPath, checked.inputs), path).toMatchObject({ changes: false, details: {} });
    const always = (resources[`infrasync:index:${kind}`]?.["required"] ?? []) as string[];
    absent.push(
      ...always.filter((output) => !(output in byPath.outputs)).map((output) => `${kind}.${output}`),
    );
    // What a resource gives fits as an input of another.
    const inputs = Object.keys(inputSchema(kindOf(kind)).properties ?? {});
    const outputs = Object.entries(byPath.outputs).filter(([member]) => inputs.includes(member));
    const same = await plugin.check(kind, { ...byPath.inputs, ...Object.fromEntries(outputs) });
    expect(same.failures, path).toEqual(missing);
    expect(await plugin.diff(byPath, same.inputs), path).toMatchObject({ changes: false });
    const byId = plugin.import(kind, byPath.id);
    // The path of a request for one names its project too.
    if (kindOf(kind).parent && pathNamesParent(kindOf(kind)))
      await expect(byId, path).rejects.toThrow(`name it by its path: ${referenceForm(kindOf(kind))}`);
    else expect(await byId, path).toEqual(byPath);
    const later = await startAgain(server);
    expect(await later.read(byPath), path).toEqual(byPath);
  }
  expect(absent).toEqual([]);
});

test("an import states what people often change and no other defaults, and names the entries of the organization", async () => {
  const { server, plugin } = await startWithEverything();
  const environment = await server.idOf("shop/staging");
  expect((await plugin.import("Job", "shop/staging/nightly"))?.inputs).toEqual({
    environment,
    name: "nightly",
    // It has no default: a new job has that of its environment.
    autoPreview: false,
    autoDeploy: true,
    source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1.4.2" } },
    schedule: { cronjob: { scheduledAt: "0 3 * * *", timezone: "Europe/Paris" } },
    variables: { LOG_LEVEL: { value: "info" }, OTHER: { aliasOf: "LOG_LEVEL" } },
    cpu: 500,
    memory: 512,
    maxNbRestart: 0,
  });
  expect((await plugin.import("Application", "shop/staging/api"))?.inputs).toMatchObject({
    cpu: 700,
    deploymentStage: "late",
  });
});

test("a program that leaves out what an import states beyond the document shows no change", async () => {
  const { plugin } = await startWithEverything();
  const job = await plugin.import("Job", "shop/staging/nightly");
  if (!job) throw new Error("the job was not found");
  const { name, source, schedule, variables, environment } = job.inputs;
  const declared = { name, source, schedule, variables, environment } as Fields;
  expect(await plugin.diff(job, (await plugin.check("Job", declared)).inputs)).toMatchObject({
    changes: false,
    details: {},
  });
});

test("with importAllFields an import states every field, so that a preview shows whatever somebody changes", async () => {
  const { plugin } = await startWithEverything({ importAllFields: "true" });
  expect((await plugin.import("Job", "shop/staging/nightly"))?.inputs).toMatchObject({
    description: "",
    gpu: 0,
    annotationsGroups: [],
  });
});

test("all imports of an environment share its lists, but for one list of parts each", async () => {
  const { server, plugin } = await startWithEverything();
  await server.forgetRequests();
  await Promise.all(["nightly"].map((name) => plugin.import("Job", `shop/staging/${name}`)));
  const first = (await server.seen()).length;
  await plugin.import("Container", "shop/staging/web");
  // The variables and the domains of the container.
  expect((await server.seen()).length - first).toBeLessThanOrEqual(2);
});

test("an import of what does not exist says what there is", async () => {
  const { plugin } = await startWithEverything();
  await expect(plugin.import("Job", "shop/staging/nigthly")).rejects.toThrow(
    "Job shop/staging/nigthly does not exist; did you mean nightly? there are: nightly",
  );
  await expect(plugin.import("Job", "nightly")).rejects.toThrow(
    '"nightly" is neither the id of a Job nor its path: write the id, or PROJECT/ENVIRONMENT/JOB',
  );
  expect(await plugin.import("Job", "8a5d8b0e-5c2f-4e7a-9f37-2f0d5f1f0c55")).toBeUndefined();
});
