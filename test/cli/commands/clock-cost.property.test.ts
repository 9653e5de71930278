import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { Fields } from "../../../core/values/json.ts";
import { propose } from "../../../core/execution/session/index.ts";
import { desiredOf } from "../../fixtures/desired.ts";
import { environment, job, project } from "../../fixtures/documents.ts";
import { Harness } from "../../fixtures/harness.ts";
import { openPolicy } from "../../fixtures/policy.ts";
import { seed, tries } from "../../fixtures/random-cases.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { deploy_delay_ms: 20_000, rate_limit: 0 } });

const size = 12;
const services = (each: (index: number) => Fields) => Array.from({ length: size }, (_, index) => each(index));
const variables = { FIRST: "1", SECOND: "2" };
const jobs = services((index) => job(`shop/staging/job-${index}`, { variables }));
const containers = services((index) => ({
  kind: "Container",
  environment: "shop/staging",
  name: `container-${index}`,
  registry: "docker-hub",
  image_name: "acme/api",
  tag: "1.4.2",
  variables,
}));

/** Around all times at which something settles: 5 s, 20 s of a deployment, half a minute. */
const gap = fc.constantFrom(0, 1, 1_000, 4_900, 5_100, 19_900, 20_100, 29_000, 33_000, 61_000, 600_000);
const gaps = fc.array(gap, { minLength: 2, maxLength: 6 });

const manifest = (documents: readonly Fields[]) =>
  documents.map((document) => stringify(document)).join("---\n");

/** @param once how many requests a change costs once, at whatever time the next plans come */
const worlds: readonly [what: string, inside: readonly Fields[], flags: readonly string[], once: number][] = [
  ["apply of jobs", jobs, [], 2],
  ["apply of containers", containers, [], 2],
  ["apply --deploy of jobs", jobs, ["--deploy"], 8],
  // The platform gives each container variables when it is deployed: one list each.
  ["apply --deploy of containers", containers, ["--deploy"], size + 8],
];

test.each(worlds)(
  "the plans after an %s cost together the same, however much time is between them",
  async (_what, inside, flags, once) => {
    let runs = 0;
    const sequence = fc.asyncProperty(gaps, async (between) => {
      await fixture.reset();
      runs += 1;
      const environmentOf = { env: { XDG_CACHE_HOME: join(fixture.folder, `cache-${runs}`) } };
      const file = await fixture.write("shop.yaml", manifest([project(), environment(), ...inside]));
      const costOf = async (...args: string[]) => {
        await fixture.takeRequests();
        const { code, stderr } = await fixture.run([...args, ...flags], environmentOf);
        if (code !== 0) throw new Error(stderr);
        return (await fixture.takeRequests()).length;
      };
      await fixture.advance(60_000);
      await costOf("apply", file, "--yes");
      const costs: number[] = [];
      for (const milliseconds of [...between, 600_000]) {
        await fixture.advance(milliseconds);
        costs.push(await costOf("plan", file));
      }
      const settled = await costOf("plan", file);
      expect(settled).toBeLessThanOrEqual(6);
      const more = costs.reduce((sum, cost) => sum + cost - settled, 0);
      expect({ costs, more, isMore: more > once }).toEqual({ costs, more, isMore: false });
    });
    await fc.assert(sequence, { seed, numRuns: tries(6) });
  },
);

test("a destroy costs the same, however long a person reads its plan", async () => {
  const text = manifest([project(), environment(), ...jobs]);
  const costAfter = async (milliseconds: number) => {
    await using server = await Harness.start({ clock: "frozen" });
    await server.reconcile(text);
    await server.advance(60_000);
    await server.forgetRequests();
    const run = server.context();
    const { resources } = desiredOf(text);
    const policy = { ...openPolicy, isForThisRun: true };
    const { plan } = await propose(run, server.organization, "destroy", resources, policy);
    await server.advance(milliseconds);
    await server.apply(plan, run);
    return (await server.seen()).length;
  };
  const atOnce = await costAfter(0);
  const late = fc.asyncProperty(gap, async (milliseconds) => {
    expect(await costAfter(milliseconds)).toBeLessThanOrEqual(atOnce + 1);
  });
  await fc.assert(late, { seed, numRuns: tries(6) });
});
