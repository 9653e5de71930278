import { describe, expect, test } from "vitest";
import { type Claim, SourceClaims } from "../../../reconciler/sources/index.ts";
import { conflictsOf } from "../../../reconciler/sources/claims.ts";
import { TestClock } from "../fixture.ts";

const key = "job:shop/staging/a";
const claim = (declared: string[], pruned: string[] = [], organization = "acme"): Claim => ({
  organization,
  declared: new Set(declared),
  pruned: new Set(pruned),
});

const named = (...names: string[]) => names.map((name) => ({ name, previews: true }));

describe("two sources want a resource", () => {
  test.each<[name: string, here: Claim, there: Claim, conflict: object | undefined]>([
    ["both declare it", claim([key]), claim([key]), { isPrunedHere: false, isPrunedThere: false }],
    ["this one would prune it", claim([], [key]), claim([key]), { isPrunedHere: true, isPrunedThere: false }],
    ["the other one would", claim([key]), claim([], [key]), { isPrunedHere: false, isPrunedThere: true }],
    ["both would prune it", claim([], [key]), claim([], [key]), undefined],
    ["one describes something else", claim([key]), claim(["job:shop/staging/b"]), undefined],
    ["they are of two organizations", claim([key]), claim([key], [], "other"), undefined],
  ])("%s", (_name, here, there, conflict) => {
    expect(conflictsOf(here, "other", there)).toEqual(
      conflict ? [{ key, source: "other", ...conflict }] : [],
    );
  });

  test("each learns of the other, whoever says it first, until one is declared no longer", async () => {
    const claims = new SourceClaims(new TestClock());
    await claims.follow(named("one", "two"));
    expect(await claims.claim("one", claim([key]))).toEqual([]);
    expect(await claims.claim("two", claim([key]))).toMatchObject([{ source: "one" }]);
    expect(await claims.claim("one", claim([key]))).toMatchObject([{ source: "two" }]);
    await claims.follow(named("one"));
    expect(await claims.claim("one", claim([key]))).toEqual([]);
  });
});

test("before the first write, a source waits until each other one has looked, and not for one that cannot", async () => {
  const claims = new SourceClaims({ ...new TestClock(), now: () => 0, sleep: () => new Promise(() => {}) });
  await claims.follow(named("one", "two", "away"));
  await claims.claim("one", claim([key]));
  let isSettled = false;
  const settled = claims.settled().then(() => (isSettled = true));
  await claims.claim("two", claim([]));
  await new Promise(setImmediate);
  expect(isSettled).toBe(false);
  claims.looked("away");
  await settled;
});

test("beside other workers, a source waits until the database has the claims of each other source, for 20 s at most", async () => {
  const clock = new TestClock();
  const began = clock.now();
  const elapsed = () => clock.now() - began;
  const settledAfter = async (announced: number) => {
    const claims = new SourceClaims(clock, {
      claim: () => Promise.resolve([]),
      follow: () => Promise.resolve(),
      claimants: () => Promise.resolve(elapsed() < announced ? ["one"] : ["one", "two"]),
    });
    await claims.follow(named("one", "two"));
    await claims.settled();
    return elapsed();
  };
  expect(await settledAfter(0)).toBe(0);
  expect(await settledAfter(15_000)).toBe(15_000);
  expect(await settledAfter(60_000)).toBe(35_000);
});
