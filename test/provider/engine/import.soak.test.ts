import { expect, test } from "vitest";
import { kindOf, pathNamesParent } from "../../../core/model/kinds/index.ts";
import { consents, documents, everything as everyKind } from "../plugin/every-kind.ts";
import { pluginProject } from "./front-ends.ts";
import { nothing, start } from "./shop.ts";
import type { State } from "./stack.ts";

/** The API does not show the secrets that these need, so that a program has to state them anew. */
const secretive = new Set(["GitToken", "ScalewayCredentials"]);
const everything = everyKind.filter(([kind]) => !secretive.has(kind));

/** Whether the path of a request for one names its parent, so that its id alone is not enough. */
const isFoundByPathOnly = (kind: string) =>
  kindOf(kind).parent !== undefined && pathNamesParent(kindOf(kind));

test("a resource of every kind is imported by its path, and in another stack by its id, and a program that declares it shows no changes", async (context) => {
  const { server, stack } = await start(context, "");
  await server.reconcile(documents, consents);
  const before = await server.everything();
  await server.forgetRequests();
  const resourcesWith = (idOf: (path: string) => string) =>
    JSON.stringify({
      resources: everything.map(([kind, path]) => ({
        type: `infrasync:index:${kind}`,
        name: `${kind}-of-the-shop`,
        id: idOf(path),
      })),
    });
  const importing = async (file: string): Promise<void> => {
    await stack.write("Pulumi.yaml", pluginProject("yaml"));
    await stack.write("import.json", file);
    const { exitCode, stdout, stderr } = await stack.shell(
      "pulumi import --file import.json --generate-code=false --protect=false --skip-preview --yes",
      "",
    );
    expect(exitCode, stdout + stderr).toBe(0);
    const { resources } = await stack.export();
    expect(resources.map(({ type }) => type.split(":").at(-1)).toSorted()).toEqual(
      everything.map(([kind]) => kind).toSorted(),
    );
    await stack.write("Pulumi.yaml", programOf(resources));
    const preview = await stack.preview("--diff");
    expect(preview, preview.stdout).toMatchObject(nothing);
    expect(await stack.refresh()).toMatchObject(nothing);
    expect(await stack.up()).toMatchObject(nothing);
  };

  await importing(resourcesWith((path) => path));
  const ids = new Map((await stack.export()).resources.map(({ type, id }) => [type.split(":").at(-1), id]));
  const kindAt = new Map(everything.map(([kind, path]) => [path, kind]));
  expect((await stack.shell("pulumi stack init other", "")).exitCode).toBe(0);
  await importing(
    resourcesWith((path) => {
      const kind = kindAt.get(path) ?? "";
      return isFoundByPathOnly(kind) ? path : (ids.get(kind) ?? "");
    }),
  );
  expect(await server.writes()).toEqual([]);
  expect(await server.everything()).toEqual(before);
});

test("an environment of 100 jobs is imported from the file that infrasync writes, each job and its variables once, and a program that declares them shows no changes", async (context) => {
  const names = Array.from({ length: 100 }, (_unused, index) => `job${index}`);
  const { server, stack } = await start(context, "");
  await server.reconcile([
    { kind: "Project", name: "shop" },
    {
      kind: "Environment",
      project: "shop",
      name: "staging",
      cluster: "eu-west",
      variables: { REGION: "eu" },
    },
    ...names.map((name) => ({
      kind: "Job",
      environment: "shop/staging",
      name,
      source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1.4.2" } },
      schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "Europe/Paris" } },
      variables: { LOG_LEVEL: "info", OTHER: { alias_of: "LOG_LEVEL" }, AREA: { alias_of: "REGION" } },
    })),
  ]);
  await server.forgetRequests();
  await stack.write("Pulumi.yaml", pluginProject("yaml"));
  const before = await server.everything();
  const commands = [
    "infrasync dump shop/staging --format pulumi-import > import.json",
    "pulumi import --file import.json --generate-code=false",
  ];
  for (const command of commands) {
    const { exitCode, stdout, stderr } = await stack.shell(`PATH=node_modules/.bin:$PATH; ${command}`, "");
    expect(exitCode, `${command}\n${stdout}${stderr}`).toBe(0);
  }
  // The dump, the preview of the import and the import: a list of variables for each resource, and few others.
  const requests = (await server.seen()).length;
  console.info(`an import of 100 jobs and their environment takes ${requests} requests`);
  expect(requests).toBeLessThanOrEqual(3 * names.length + 30);
  const { resources } = await stack.export();
  expect(resources.map(({ type, id }) => [type, id]).toSorted()).toEqual([
    ["infrasync:index:Environment", before.get("shop/staging")?.["id"]],
    ...names
      .map((name) => ["infrasync:index:Job", before.get(`shop/staging/JOB ${name}`)?.["id"]])
      .toSorted(),
  ]);
  const declared = resources.flatMap(({ inputs = {} }) => Object.entries(inputs["variables"] ?? {}));
  // The engine imports them side by side.
  expect(declared.toSorted()).toEqual([
    ...names.map(() => ["AREA", { aliasOf: "REGION" }]),
    ...names.map(() => ["LOG_LEVEL", { value: "info" }]),
    ...names.map(() => ["OTHER", { aliasOf: "LOG_LEVEL" }]),
    ["REGION", { value: "eu" }],
  ]);
  await stack.write("Pulumi.yaml", programOf(resources));
  expect(await stack.preview("--diff")).toMatchObject(nothing);
  expect(await stack.up()).toMatchObject(nothing);
  expect(await stack.refresh()).toMatchObject(nothing);
  expect(await server.writes()).toEqual([]);
  expect(await server.everything()).toEqual(before);
});

/** What the generator of code would write: the inputs of the state. */
function programOf(resources: State["resources"]): string {
  const declared = resources.map(({ urn, type, inputs = {} }) => {
    const properties = Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith("__")));
    return [urn.split("::").at(-1), { type, properties }];
  });
  return `${pluginProject("yaml")}resources: ${JSON.stringify(Object.fromEntries(declared))}\n`;
}
