import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { type Bench, type ForgeKind, gitHub, gitLab, startCiBench } from "./runners.ts";
import type { Harness } from "../fixtures/harness.ts";

// The plan of a pull request is the plan of its merge, whatever the job has checked out.

const start = {
  "manifests/shop.yaml": shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }"),
  "manifests/a.yaml": job("a", "cpu: 500"),
};
const inputs = { prune: "true" };
const forges: [string, (api: () => Harness) => Promise<ForgeKind>][] = [
  ["GitHub, with ref: head.sha", gitHub],
  ["GitLab", gitLab],
];

/** A pull request that was made before another one has added a job and changed a field, and applied both. */
async function behind(
  make: (api: () => Harness) => Promise<ForgeKind>,
  change: Parameters<Bench["open"]>[1],
) {
  const bench = await startCiBench(make, start);
  const head = bench.open(4, change);
  bench.open(5, { "manifests/b.yaml": job("b"), "manifests/a.yaml": job("a", "cpu: 750") });
  expect((await bench.plan(5, { inputs })).code).toBe(0);
  expect((await bench.apply(bench.merge(5), { inputs })).code).toBe(0);
  return { bench, head };
}

test.each(forges)(
  "%s: a head behind its base plans neither a deletion nor a reversal, and its merge is applied",
  async (_, make) => {
    const { bench, head } = await behind(make, { "manifests/c.yaml": job("c") });
    const planned = await bench.plan(4, { inputs, isHead: true });
    expect(planned.code).toBe(0);
    expect(bench.status(head)).toMatch(/^success: Plan: 1 to create; 4 unchanged\./);
    expect(bench.comments(4)[0]).not.toContain("shop/staging/b");
    // Both commands answer from one tree.
    expect(await bench.check({ inputs })).toMatchObject({
      code: 0,
      output: expect.stringContaining("0 stale"),
    });
    expect((await bench.apply(bench.merge(4), { inputs })).code).toBe(0);
    expect(await bench.server.idOf("shop/staging/JOB b")).not.toBe("undefined");
  },
);

test.each(forges)("%s: a head behind its base that changes nothing says so", async (_, make) => {
  const { bench, head } = await behind(make, { "README.md": "two\n" });
  expect((await bench.plan(4, { inputs, isHead: true })).code).toBe(0);
  expect(bench.status(head)).toMatch(
    /^success: The (?:pull|merge) request changes nothing\. \[unchanged main@/,
  );
});

test.each(forges)(
  "%s: where the merge cannot be made, the status names what the base adds",
  async (_, make) => {
    const { bench, head } = await behind(make, { "manifests/a.yaml": job("a", "cpu: 1000") });
    const planned = await bench.plan(4, { inputs, isHead: true });
    expect(planned.code).toBe(3);
    expect(planned.output).toContain("behind main by 2 commits, which adds job:shop/staging/b");
    expect(bench.status(head)).toMatch(/^failure: .*conflict/);
  },
);
