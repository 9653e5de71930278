import { expect, test } from "vitest";
import { wavesOf } from "../../../../core/planning/plan/waves.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { job, shop } from "../../../fixtures/manifests.ts";

test.each<[what: string, waves: [a: number, b: number], found: unknown]>([
  ["the same wave has no waves", [1, 1], [undefined, undefined]],
  [
    "two waves has both",
    [1, 2],
    [
      { number: 1, of: 2 },
      { number: 2, of: 2 },
    ],
  ],
])("an environment whose services have %s", (_what, [a, b], found) => {
  const { resources } = desiredOf(
    shop + job("a", `manage: { wave: ${a} }`) + job("b", `manage: { wave: ${b} }`),
  );
  const waveOf = wavesOf(resources);
  expect(
    resources.filter(({ address }) => address.kind.deployment).map(({ address }) => waveOf(address)),
  ).toEqual(found);
});
