import { expect, test } from "vitest";
import { parse } from "yaml";
import { beginningFiles } from "../../cli/commands/init/files.ts";
import { readPage } from "../docs/markdown.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { gitHub, startCiBench, type Workflow } from "./runners.ts";

const page = readPage("docs/guides/ci.md").blocks.find(({ file }) => file?.startsWith(".github/"));
const started = beginningFiles({
  folder: ".",
  baseUrl: "https://api.example.com",
  organization: "acme",
  documents: [],
  cluster: undefined,
  ci: { system: "github", ciPackage: { scope: "@acme", name: "infrasync", version: "0.1.0" } },
}).find(({ name }) => name.startsWith(".github/"));

test.each([
  ["docs/guides/ci.md", page?.lines.join("\n") ?? ""],
  ["infrasync init", started?.text ?? ""],
])("the workflow of %s comments the plan, and its merge applies exactly that plan", async (_, text) => {
  const workflow = parse(text) as Workflow;
  const bench = await startCiBench((api) => gitHub(api, workflow), {
    "manifests/shop.yaml": shop,
    "manifests/a.yaml": job("a", "cpu: 500"),
  });
  const head = bench.open(4, { "manifests/a.yaml": job("a", "cpu: 750") });
  const planned = await bench.plan(4);
  expect(planned).toMatchObject({ code: 0, summary: expect.stringContaining("### Plan: 1 to update") });
  expect(bench.comments(4)).toEqual([expect.stringContaining("cpu  500m -> 750m")]);
  const [, digest = "none"] = /Digest: ([0-9a-f]{64})/.exec(bench.status(head) ?? "") ?? [];

  const applied = await bench.apply(bench.merge(4));
  expect(applied).toMatchObject({ code: 0, output: expect.stringContaining("Done: 1 updated.") });
  expect(applied.outputs).toMatchObject({ digest });
  expect((await bench.server.everything()).get("shop/staging/JOB a")).toMatchObject({ cpu: 750 });

  // The forge refuses what the permissions of the workflow do not allow.
  const needed = new Set(
    bench.forge.writes().map((line) => (line.includes("/statuses/") ? "statuses" : "pull-requests")),
  );
  expect([...needed].toSorted()).toEqual(["pull-requests", "statuses"]);
  expect(workflow.permissions).toEqual({ contents: "read", "pull-requests": "write", statuses: "write" });

  // Live resources have changed after the review: the merge applies nothing.
  bench.open(5, { "manifests/a.yaml": job("a", "cpu: 1000") });
  await bench.plan(5);
  await bench.server.reconcile(shop + job("a", "cpu: 250"));
  await bench.server.forgetRequests();
  const refused = await bench.apply(bench.merge(5));
  expect(refused.code).toBe(3);
  expect(await bench.server.writes()).toEqual([]);
});
