import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { type Bench, gitHub, startCiBench } from "./runners.ts";

// What a job has refused to apply does not become the rule for the next change.

const settings = "manifests/infrasync.config.yaml";
const inputs = { prune: "true" };
const protectedBy = 'protected by the pattern "job:shop/staging/b" in the settings of the commit';

/** A branch whose last applied commit protects a job. */
async function protecting(): Promise<Bench> {
  const bench = await startCiBench(gitHub, {
    "manifests/shop.yaml": shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }"),
    "manifests/a.yaml": job("a"),
    "manifests/b.yaml": job("b"),
  });
  bench.open(3, { [settings]: "protect: ['job:shop/staging/b']\n" });
  await carriedOut(bench, 3);
  await bench.server.forgetRequests();
  return bench;
}

/** Plans and merges a pull request, and applies the merge: its status. */
async function carriedOut(bench: Bench, number: number): Promise<string | undefined> {
  await bench.plan(number, { inputs });
  return applied(bench, number);
}

async function applied(bench: Bench, number: number): Promise<string | undefined> {
  const commit = bench.merge(number);
  await bench.apply(commit, { inputs });
  return bench.status(commit, "infrasync/apply");
}

test("a merge that was refused lifts no rule for the pull request after it", async () => {
  const bench = await protecting();
  bench.open(4, { [settings]: undefined, "manifests/b.yaml": undefined });
  expect(await carriedOut(bench, 4)).toMatch(/^failure: /);
  const head = bench.open(5, { "manifests/a.yaml": job("a", "cpu: 750") });
  const { code, output } = await bench.plan(5, { inputs });
  expect(output).toContain(protectedBy);
  expect(code).toBe(3);
  expect(bench.status(head)).toMatch(/^failure: /);
  expect(await applied(bench, 5)).toMatch(/^failure: /);
  expect(await bench.server.writes()).toEqual([]);
});

test("a merge of nothing after one that was refused lifts no rule either", async () => {
  const bench = await protecting();
  bench.open(4, { [settings]: undefined, "manifests/b.yaml": undefined });
  bench.open(5, { "README.md": "Words" });
  await bench.plan(5, { inputs });
  expect(await carriedOut(bench, 4)).toMatch(/^failure: /);
  expect(await applied(bench, 5)).toMatch(/^failure: Not applied: the apply of [0-9a-f]{7} has failed/);
  bench.open(6, { "manifests/a.yaml": job("a", "cpu: 750") });
  const { code, output } = await bench.plan(6, { inputs });
  expect(output).toContain(protectedBy);
  expect(code).toBe(3);
});

test("a rule that a change of its own has lifted forbids nothing any more", async () => {
  const bench = await protecting();
  bench.open(4, { [settings]: undefined });
  expect(await carriedOut(bench, 4)).toBe("success: Nothing to apply.");
  bench.open(5, { "manifests/b.yaml": undefined });
  expect(await carriedOut(bench, 5)).toMatch(/^success: /);
  expect(await bench.server.idOf("shop/staging/JOB b")).toBe("undefined");
});
