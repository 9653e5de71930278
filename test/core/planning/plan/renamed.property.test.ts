import fc from "fast-check";
import { expect, test } from "vitest";
import { nameKey } from "../../../../core/model/addresses/names.ts";
import { tries } from "../../../fixtures/random-cases.ts";
import { World } from "./world.ts";

const word = fc.stringMatching(/^[a-z][a-z0-9]{3,8}$/);
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join("-"));
const affix = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);

/** What a person or a server makes of a name. */
const rename = fc.oneof(
  affix.map((text) => (old: string) => `${text}-${old}`),
  affix.map((text) => (old: string) => `${old}-${text}`),
  affix.map((text) => (old: string) => `${old} (${text})`),
  fc.constant((old: string) => `${old}-2`),
  fc.constant((old: string) => old.replaceAll("-", "_")),
);

const job = (called: string) => `kind: Job
environment: shop/staging
name: ${called}
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }`;

test("no run makes again or prunes what somebody has renamed, whatever else there is and whatever targets choose", () => {
  let renamed = 0;
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 1, maxLength: 5, selector: nameKey }),
      rename,
      fc.boolean(),
      ([old = "", ...others], change, isTargeted) => {
        const now = change(old);
        if ([old, ...others].some((each) => nameKey(each) === nameKey(now))) return;
        renamed += 1;
        const live = [
          "project:shop:",
          "environment:shop/staging:",
          ...[now, ...others].map((each) => `job:shop/staging/${each}:`),
        ];
        const environment = "kind: Environment\nproject: shop\nname: staging\nmanage: { prune: true }";
        const text = [environment, ...[old, ...others].map(job)].join("\n---\n");
        const policy = {
          prune: true,
          scope: ({ names }: { names: readonly string[] }) => !isTargeted || names.at(-1) !== old,
        };
        const { problems, actions } = World.of(live.join("\n")).plan(text, policy);
        const touched = actions.filter(
          ({ type, address }) => type !== "none" && [old, now].includes(address.names.at(-1) ?? ""),
        );
        expect(touched.map(({ id }) => id)).toEqual([]);
        expect(problems.map(({ address }) => address)).toEqual([`job:shop/staging/${old}`]);
      },
    ),
    { numRuns: tries(200) },
  );
  expect(renamed).toBeGreaterThan(0);
});
