import { beforeEach, expect, onTestFinished, test } from "vitest";
import { costOf } from "../../../../core/index.ts";
import { formatManifest, parseManifest, combine } from "../../../../core/manifests/manifest/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import { application, cronJob, job, lifecycleJob, shop } from "../../../fixtures/manifests.ts";
import { allow } from "../../../fixtures/policy.ts";

let server: Harness;

beforeEach(async () => {
  server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
});

const docs = "{ mode: EXCLUDE, value: docs/ }";
const source = "{ mode: MATCH, type: PATH, value: src/ }";
const restricted = (list: string, more = "") =>
  shop + job("a", `deployment_restrictions: [${list}]\n${more}`);

async function restrictionsOf(name: string): Promise<string[]> {
  const id = await server.idOf(`shop/staging/JOB ${name}`);
  const entries = await server.results(`/job/${id}/deploymentRestriction`);
  return entries
    .map(({ mode, type, value }) => `${String(mode)} ${String(type)} ${String(value)}`)
    .toSorted();
}

const requests = async () =>
  (await server.seen())
    .filter(({ path }) => path.includes("/deploymentRestriction"))
    .map(({ method }) => method);

test("stated restrictions are written, and others are left alone", async () => {
  await server.reconcile(restricted(`${docs}, ${source}`));
  expect(await restrictionsOf("a")).toEqual(["EXCLUDE PATH docs/", "MATCH PATH src/"]);
  expect(summary(await server.plan(restricted(`${source}, ${docs}`)))).toEqual([]);
  expect(summary(await server.plan(restricted(docs)))).toEqual([]);
  expect(summary(await server.plan(shop + job("a")))).toEqual([]);
});

test("a change of an entry is a new one, and a run that prunes an exclusive list removes the old one", async () => {
  await server.reconcile(restricted(`${docs}, ${source}`));
  const text = restricted(
    "{ mode: EXCLUDE, value: documents/ }, { mode: MATCH, value: src/ }",
    "manage: { exclusive: [deployment_restrictions] }",
  );
  const { actions, notes } = await server.plan(text);
  const update = actions.find(({ type }) => type === "update");
  expect(update?.type === "update" && update.changes).toEqual([
    {
      path: ["deployment_restrictions", "[EXCLUDE/PATH/documents/]"],
      after: { mode: "EXCLUDE", value: "documents/" },
    },
  ]);
  expect(notes.map(({ message }) => message)).toContain(
    "has 1 deployment restriction that its document does not declare ([EXCLUDE/PATH/docs/])",
  );
  await server.reconcile(text, { prune: true });
  expect(await restrictionsOf("a")).toEqual(["EXCLUDE PATH documents/", "MATCH PATH src/"]);
  expect(summary(await server.plan(text, { prune: true }))).toEqual([]);
});

test("equal restrictions that the API has are removed together", async () => {
  await server.reconcile(restricted(source));
  const id = await server.idOf("shop/staging/JOB a");
  for (const _ of [1, 2])
    await server.api("POST", `/job/${id}/deploymentRestriction`, {
      mode: "EXCLUDE",
      type: "PATH",
      value: "docs/",
    });
  const text = restricted(source, "manage: { exclusive: [deployment_restrictions] }");
  await server.reconcile(text, { prune: true });
  expect(await restrictionsOf("a")).toEqual(["MATCH PATH src/"]);
});

test("a plan reads restrictions only where a document declares some, and each costs one request to write", async () => {
  const text = restricted(docs) + job("b");
  await server.reconcile(text);
  await server.forgetRequests();
  expect(summary(await server.plan(text))).toEqual([]);
  expect(await requests()).toEqual(["GET"]);
  const plan = await server.plan(restricted(`${docs}, ${source}, { mode: MATCH, value: lib/ }`) + job("b"));
  await server.forgetRequests();
  await server.apply(plan);
  expect(await requests()).toEqual(["GET", "POST", "POST"]);
  expect(costOf(plan).applying).toBe(3);
});

test("a clone carries the restrictions of its source, and a replacement writes them again", async () => {
  await server.reconcile(shop + cronJob("a", `deployment_restrictions: [${docs}]\n`));
  const copy = "---\nkind: Job\nenvironment: shop/staging\nname: copy\nclone: { from: shop/staging/a }\n";
  const text = `${shop}${copy}deployment_restrictions: [${source}]\n`;
  await server.reconcile(text);
  expect(await restrictionsOf("copy")).toEqual(["EXCLUDE PATH docs/", "MATCH PATH src/"]);
  expect(summary(await server.plan(text))).toEqual([]);
  await server.reconcile(shop + lifecycleJob("a"), allow("job:shop/staging/a"));
  expect(await restrictionsOf("a")).toEqual(["EXCLUDE PATH docs/"]);
});

test("wrong lists are refused at their place, before any request", () => {
  const problemsOf = (text: string) =>
    desiredOf(text).problems.map(({ message, position }) => `${position?.line} ${message}`);
  const lines = (...entries: string[]) =>
    shop + job("a", `deployment_restrictions:\n${entries.map((entry) => `  - ${entry}\n`).join("")}`);
  expect(problemsOf(lines(docs, source, "{ mode: EXCLUDE, type: PATH, value: docs/ }"))).toEqual([
    "19 deployment_restrictions[2] has the same mode, type and value as deployment_restrictions[0]: EXCLUDE/PATH/docs/",
  ]);
  expect(
    problemsOf(lines("{ mode: SKIP, value: docs/ }", '{ mode: MATCH, value: "" }', "{ mode: MATCH }")),
  ).toEqual([
    '17 deployment_restrictions[0].mode must be one of MATCH, EXCLUDE, not "SKIP"',
    "18 deployment_restrictions[1].value is empty",
    "19 deployment_restrictions[2].value is missing",
  ]);
  expect(problemsOf(shop + job("a", "deployment_restrictions: { mode: MATCH, value: a }"))).toEqual([
    "16 deployment_restrictions must be a list, not a mapping",
  ]);
  expect(problemsOf(shop + job("a", "deployment_restrictions: null"))).toHaveLength(1);
  const [none] = desiredOf(
    `${shop}---\nkind: Container\nenvironment: shop/staging\nname: c\nimage_name: a\ntag: b\nregistry: docker-hub\ndeployment_restrictions: []\n`,
  ).problems;
  expect(none).toMatchObject({
    message: expect.stringContaining('a Container has no field "deployment_restrictions"') as string,
    advice: expect.stringContaining("is a field of the kinds Application, Helm, Job, Terraform") as string,
  });
});

test("overlays and defaults add restrictions, whose text is a list again", () => {
  const read = (text: string) => ({ ...parseManifest(text, "a.yaml"), files: 1 });
  const base = application("api", `deployment_restrictions: [${docs}]`);
  const defaults = `kind: Defaults\nproject: shop\nfor: Application\ndeployment_restrictions: [{ mode: MATCH, value: lib/ }]\n`;
  const top = `kind: Application\nenvironment: shop/staging\nname: api\ndeployment_restrictions:\n  - { mode: MATCH, value: src/ }\n`;
  const { documents } = combine([read(`${shop}${base}---\n${defaults}`), read(top)]);
  const document = documents.find(({ name }) => name === "api");
  const text = document ? formatManifest(document) : "";
  expect(text).toContain(
    [
      "deployment_restrictions:",
      "  - mode: MATCH",
      "    value: lib/",
      "  - mode: EXCLUDE",
      "    value: docs/",
      "  - mode: MATCH",
      "    value: src/",
      "",
    ].join("\n"),
  );
  expect(parseManifest(text, "b.yaml").documents[0]?.fields["deployment_restrictions"]).toEqual(
    document?.fields["deployment_restrictions"],
  );
  const key = "[MATCH/PATH/src/]";
  expect(document?.position(["deployment_restrictions", key, "value"])).toMatchObject({
    line: 5,
    column: 27,
  });
});
