import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { documentOf, infrasync } from "../captured.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-graph-"));
  await writeFile(join(folder, "shop.yaml"), manifests);
  return () => rm(folder, { recursive: true });
});

const manifests = `kind: Environment
project: shop
name: staging
variables: { HOST: db, URL: { alias_of: HOST } }
---
kind: DeploymentStage
environment: shop/staging
name: late
after: early
---
kind: DeploymentStage
environment: shop/staging
name: early
---
kind: Job
environment: shop/staging
name: migrate
clone: { from: shop/production/migrate }
deployment_stage: early
variables: { DB: { alias_of: HOST }, BUILT_IN: { alias_of: QOVERY_HOST } }
---
kind: Environment
project: shop
name: "pre\\"view"
clone: { from: shop/staging }
`;

const graph = (...flags: string[]) => infrasync(["graph", folder, ...flags]);

test("the text shows what contains what, and behind each resource the rest", async () => {
  const { code, stdout } = await graph();
  expect(code).toBe(0);
  expect(`\n${stdout}`).toMatchInlineSnapshot(`
    "
    Project shop  (no document)
      Environment pre"view  (clone of shop/staging)
      Environment production  (no document)
        Job migrate  (no document)
      Environment staging  (URL is an alias of HOST)
        DeploymentStage early
        DeploymentStage late  (after early)
        Job migrate  (clone of shop/production/migrate; in stage early; DB is an alias of HOST of environment:shop/staging; BUILT_IN is an alias of QOVERY_HOST)
    "
  `);
});

test("Mermaid and DOT have a node for each resource and an edge for each relation", async () => {
  expect(`\n${(await graph("--format", "mermaid")).stdout}`).toMatchInlineSnapshot(`
    "
    flowchart LR
      n1["Project shop"]
      n2["Environment pre#quot;view"]
      n3["Environment production"]
      n4["Job migrate"]
      n5["Environment staging"]
      n6["DeploymentStage early"]
      n7["DeploymentStage late"]
      n8["Job migrate"]
      n1 --> n5
      n5 --> n6
      n5 --> n7
      n5 --> n8
      n1 --> n2
      n5 -. "URL is alias of HOST" .-> n5
      n7 -. "after" .-> n6
      n1 --> n3
      n3 --> n4
      n8 -. "clone of" .-> n4
      n8 -. "in stage" .-> n6
      n8 -. "DB is alias of HOST" .-> n5
      n2 -. "clone of" .-> n5
    "
  `);
  expect(`\n${(await graph("--format", "dot")).stdout}`).toMatchInlineSnapshot(`
    "
    digraph infrasync {
      rankdir=LR;
      node [shape=box];
      n1 [label="Project shop", style=dashed];
      n2 [label="Environment pre\\"view"];
      n3 [label="Environment production", style=dashed];
      n4 [label="Job migrate", style=dashed];
      n5 [label="Environment staging"];
      n6 [label="DeploymentStage early"];
      n7 [label="DeploymentStage late"];
      n8 [label="Job migrate"];
      n1 -> n5;
      n5 -> n6;
      n5 -> n7;
      n5 -> n8;
      n1 -> n2;
      n5 -> n5 [style=dashed, label="URL is alias of HOST"];
      n7 -> n6 [style=dashed, label="after"];
      n1 -> n3;
      n3 -> n4;
      n8 -> n4 [style=dashed, label="clone of"];
      n8 -> n6 [style=dashed, label="in stage"];
      n8 -> n5 [style=dashed, label="DB is alias of HOST"];
      n2 -> n5 [style=dashed, label="clone of"];
    }
    "
  `);
});

test("as JSON", async () => {
  expect(documentOf(await graph("--output", "json"))).toMatchObject({
    ok: true,
    edges: expect.arrayContaining([
      { relation: "contains", from: "environment:shop/staging", to: "job:shop/staging/migrate" },
      { relation: "clone", from: "job:shop/staging/migrate", to: "job:shop/production/migrate" },
      { relation: "in", from: "job:shop/staging/migrate", to: "deploymentstage:shop/staging/early" },
      {
        relation: "after",
        from: "deploymentstage:shop/staging/late",
        to: "deploymentstage:shop/staging/early",
      },
      {
        relation: "alias",
        from: "job:shop/staging/migrate",
        to: "environment:shop/staging",
        alias: "DB",
        target: "HOST",
      },
    ]) as unknown,
    open_aliases: [{ of: "job:shop/staging/migrate", alias: "BUILT_IN", target: "QOVERY_HOST" }],
  });
});

test("a mistake in a manifest is reported at its place", async () => {
  await writeFile(join(folder, "wrong.yaml"), "kind: Job\nenvironment: shop/staging\nname: x\ncpuu: 1\n");
  const { code, stderr } = await graph();
  expect(code).toBe(3);
  expect(stderr).toContain('a Job has no field "cpuu"');
});
