import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { type Bench, gitHub, gitLab, startCiBench } from "./runners.ts";

// A status about a change says nothing about the branch: a merge of nothing is a success only where what was before it is applied.

const start = { "manifests/shop.yaml": shop, "manifests/a.yaml": job("a", "cpu: 500") };
const words = (text: string) => ({ "README.md": text });

/** Plans and merges a pull request; gives the commit. */
async function merged(bench: Bench, number: number): Promise<string> {
  expect((await bench.plan(number)).code).toBe(0);
  return bench.merge(number);
}

const applyOf = (bench: Bench, commit: string) => bench.status(commit, "infrasync/apply");

test.each([
  ["GitHub", gitHub],
  ["GitLab", gitLab],
])(
  "%s: of three merges, the first is applied, the second is dropped, and the third, of nothing, names the second",
  async (_forge, make) => {
    const bench = await startCiBench(make, start);
    bench.open(3, { "manifests/a.yaml": job("a", "cpu: 750") });
    const first = await merged(bench, 3);
    expect((await bench.apply(first)).code).toBe(0);
    bench.open(4, { "manifests/a.yaml": job("a", "cpu: 1000") });
    const dropped = await merged(bench, 4);
    bench.open(5, words("one"));
    const third = await merged(bench, 5);
    const ran = await bench.apply(third);
    expect(ran.code).toBe(3);
    expect(applyOf(bench, third)).toMatch(/^failure: /);
    expect(applyOf(bench, third)).toContain(`no job has applied ${dropped.slice(0, 7)}`);
    const checked = await bench.check();
    expect(checked).toMatchObject({ code: 1, output: expect.stringContaining(dropped.slice(0, 7)) });

    // The run of the second is started again, and then that of the third.
    expect((await bench.apply(dropped)).code).toBe(0);
    expect((await bench.apply(third)).code).toBe(0);
    expect(applyOf(bench, third)).toBe("success: Nothing to apply.");
    expect((await bench.check()).code).toBe(0);
  },
);

test("of three merges, the second fails, and the third, of nothing, names it", async () => {
  const bench = await startCiBench(gitHub, start);
  bench.open(3, words("zero"));
  expect((await bench.apply(await merged(bench, 3))).code).toBe(0);
  bench.open(4, { "manifests/a.yaml": job("a", "cpu: 1000") });
  const failed = await merged(bench, 4);
  const { read } = bench.server.emulator.tokens;
  expect((await bench.apply(failed, { inputs: { token: read } })).code).toBe(1);
  bench.open(5, words("one"));
  const third = await merged(bench, 5);
  expect((await bench.apply(third)).code).toBe(3);
  expect(applyOf(bench, third)).toMatch(/^failure: /);
  expect(applyOf(bench, third)).toContain(`the apply of ${failed.slice(0, 7)} has failed`);
  expect((await bench.check()).code).toBe(1);
});

test("a dropped merge that a later one reverts, and one of nothing, leave nothing behind", async () => {
  const bench = await startCiBench(gitHub, start);
  bench.open(3, words("zero"));
  expect((await bench.apply(await merged(bench, 3))).code).toBe(0);
  bench.open(4, words("dropped"));
  await merged(bench, 4);
  bench.open(5, { "manifests/a.yaml": job("a", "cpu: 1000") });
  await merged(bench, 5);
  bench.open(6, { "manifests/a.yaml": job("a", "cpu: 500") });
  await merged(bench, 6);
  bench.open(7, words("last"));
  const last = await merged(bench, 7);
  expect((await bench.apply(last)).code).toBe(0);
  expect(applyOf(bench, last)).toBe("success: Nothing to apply.");
});

test("where no job has applied anything yet, a merge of nothing is a success only where live resources match", async () => {
  const bench = await startCiBench(gitHub, start);
  bench.open(3, words("zero"));
  const match = await merged(bench, 3);
  expect((await bench.apply(match)).code).toBe(0);
  expect(applyOf(bench, match)).toBe("success: Nothing to apply.");

  const other = await startCiBench(gitHub, start);
  other.open(3, { "manifests/a.yaml": job("a", "cpu: 1000") });
  await merged(other, 3);
  other.open(4, words("one"));
  const unknown = await merged(other, 4);
  expect((await other.apply(unknown)).code).toBe(3);
  expect(applyOf(other, unknown)).toMatch(/^failure: .*no job has applied/);
});
