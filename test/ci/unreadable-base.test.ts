import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitHostToken, repository } from "../fixtures/forges/server.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { type Bench, gitHub, gitLab, startCiBench } from "./runners.ts";

// The past has three answers: read, known to be none, and unknown; and unknown lets nothing be deleted.

type Files = Parameters<Bench["open"]>[1];

const settings = "manifests/infrasync.config.yaml";
const forReconciler = "manifests/infrasync.reconcile.yaml";
const start = {
  "manifests/shop.yaml": shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }"),
  "manifests/a.yaml": job("a"),
  "manifests/b.yaml": job("b"),
};
const protecting = "protect: ['job:shop/staging/b']\n";
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"4d7a".repeat(16)}\nsize 12345\n`;
const inputs = { prune: "true" };

/** Bases that nobody can read: what they protect, nobody knows. */
const forms: Record<string, Files> = {
  "a setting that this version does not know": { [settings]: `${protecting}protect_more: [a]\n` },
  "another min_version": { [settings]: `min_version: 99.0.0\n${protecting}` },
  "a pointer of LFS in place of the settings": { [settings]: pointer },
  "settings that a filter of git has encrypted": { [settings]: "\u0000GITCRYPT\u0000\u0001\u0002" },
  "settings behind a link out of the repository": { [settings]: { link: "/etc/infrasync.config.yaml" } },
  "settings that are too large": { [settings]: `${protecting}# ${"x".repeat(1100 * 1024)}\n` },
  "a manifest with a field of another version": {
    "manifests/b.yaml": job("b", "manage: { protect: true }\nanother_field: 1"),
  },
  "a pointer of LFS in place of a manifest": { "manifests/b.yaml": pointer },
  "a file for the reconciler with a member of another version": { [forReconciler]: "on_everything: off\n" },
};

/** The change that lifts all rules, and deletes. */
const lifting = { [settings]: undefined, [forReconciler]: undefined, "manifests/b.yaml": undefined };

/** What the job of another version has said about a commit on GitHub. */
async function applied(bench: Bench, commit: string): Promise<void> {
  const said = await fetch(`${bench.forge.url}/repos/${repository}/statuses/${commit}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gitHostToken}`, "content-type": "application/json" },
    body: JSON.stringify({ context: "infrasync/apply", state: "success", description: "Done." }),
  });
  expect(said.status).toBe(201);
}

test.each(Object.entries(forms))(
  "ci plan and ci apply delete nothing after a base that was applied, with %s",
  async (_form, files) => {
    const bench = await startCiBench(gitHub, start);
    await applied(bench, bench.repository.push(files));
    bench.open(4, lifting);
    const planned = await bench.plan(4, { inputs });
    expect(planned.output).toContain("cannot be read");
    expect(planned.code).toBe(3);
    await bench.apply(bench.merge(4), { inputs });
    expect(await bench.server.idOf("shop/staging/JOB b")).not.toBe("undefined");
  },
);

test.each(Object.entries(forms))(
  "ci plan deletes nothing after a base of which nobody knows whether it was applied, with %s",
  async (_form, files) => {
    const bench = await startCiBench(gitHub, start);
    bench.repository.push(files);
    bench.open(4, lifting);
    expect(await bench.plan(4, { inputs })).toMatchObject({ code: 3 });
  },
);

test("a change without deletions goes through after such a base, and the next one may delete", async () => {
  const bench = await startCiBench(gitHub, start);
  await applied(bench, bench.repository.push({ [settings]: `${protecting}protect_more: [a]\n` }));
  bench.open(4, { [settings]: undefined });
  expect((await bench.plan(4, { inputs })).code).toBe(0);
  expect((await bench.apply(bench.merge(4), { inputs })).code).toBe(0);
  bench.open(5, { "manifests/b.yaml": undefined });
  expect((await bench.plan(5, { inputs })).code).toBe(0);
  expect((await bench.apply(bench.merge(5), { inputs })).code).toBe(0);
  expect(await bench.server.idOf("shop/staging/JOB b")).toBe("undefined");
});

test.each([
  ["GitHub", gitHub],
  ["GitLab", gitLab],
])(
  "%s: a pull request that mends the mistakes of its base is compared with the last commit that can be read",
  async (_forge, make) => {
    const bench = await startCiBench(make, start);
    const broken = bench.repository.push({ "manifests/c.yaml": job("c", "cpu: many") });
    const head = bench.open(4, { "manifests/c.yaml": job("c", "cpu: 750") });
    const planned = await bench.plan(4);
    expect(planned.code).toBe(0);
    expect(planned.output).toContain("that can be read");
    expect(bench.comments(4)[0]).toContain(broken.slice(0, 7));
    expect(bench.status(head)).toMatch(/^success: Plan: 1 to create/);
    expect((await bench.apply(bench.merge(4))).code).toBe(0);
  },
);

test("what a step of the job has written, and git does not have, has no rules before: nothing is pruned, and that is said", async () => {
  const bench = await startCiBench(gitHub, { "manifests/shop.yaml": start["manifests/shop.yaml"] });
  await bench.server.reconcile(Object.values(start).join("---\n"));
  bench.open(4, { "README.md": "words" });
  const { code, output } = await bench.plan(4, {
    inputs,
    onStart: (workspace) => writeFileSync(join(workspace, "manifests", "a.yaml"), job("a")),
  });
  expect(output).toContain("git does not have manifests/a.yaml");
  expect(output).not.toContain("b would be pruned");
  expect(output).not.toMatch(/to delete/);
  expect(code).toBe(0);
});

test("settings that --config names drop nothing that the file beside the manifests protects", async () => {
  const bench = await startCiBench(gitHub, start);
  bench.repository.push({ "other/loose.yaml": "max_deletes: 20\n", [settings]: protecting });
  bench.open(4, { "manifests/b.yaml": undefined });
  const planned = await bench.plan(4, { inputs: { ...inputs, config: "other/loose.yaml" } });
  expect(planned.output).toContain('protected by the pattern "job:shop/staging/b"');
  // And where the same change takes the file away.
  bench.open(5, { "manifests/b.yaml": undefined, [settings]: undefined });
  const lifted = await bench.plan(5, { inputs: { ...inputs, config: "other/loose.yaml" } });
  expect(lifted).toMatchObject({ code: 3, output: expect.stringContaining("in the settings of the commit") });
});
