import { expect, test } from "vitest";
import type { Fields } from "../../../../core/values/json.ts";
import { environment, job, project, shop } from "../../../fixtures/documents.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

const range = (count: number, make: (index: number) => Fields): Fields[] =>
  Array.from({ length: count }, (_, index) => make(index));
const container = (index: number, variables: Fields): Fields => ({
  kind: "Container",
  environment: "shop/staging",
  name: `service-${index}`,
  registry: "docker-hub",
  image_name: "acme/api",
  tag: "1",
  ports: [{ internal_port: 8080, publicly_accessible: true }],
  variables,
});

/** Each list of variables of a container has two entries for every container of the environment: with sixty, it is longer than a hundred. */
const sizes = [30, 60, 120];

/** How many requests each one more costs. */
interface Each {
  apply: number;
  plan: number;
  /** At most: the deletion, what is read before it and what shows that it is done. */
  destroy: number;
}

const worlds: [what: string, documents: (size: number) => Fields[], each: Each][] = [
  [
    "jobs",
    (size) => [...shop, ...range(size, (index) => job(`shop/staging/j${index}`))],
    { plan: 0, apply: 1, destroy: 2 },
  ],
  [
    "environments",
    (size) => [project(), ...range(size, (index) => environment(`shop/e${index}`))],
    { plan: 0, apply: 1, destroy: 8 },
  ],
  [
    "containers",
    (size) => [...shop, ...range(size, (index) => container(index, { A: "a" }))],
    { plan: 1, apply: 2, destroy: 4 },
  ],
  [
    "a chain of references",
    (size) => [
      ...shop,
      ...range(size, (index) =>
        container(
          index,
          index === 0
            ? { A: "a" }
            : { A: { from: `container:service-${index - 1}`, output: "host_internal" } },
        ),
      ),
    ],
    { plan: 1, apply: 3, destroy: 4 },
  ],
  [
    "variables of one job",
    (size) => [
      ...shop,
      job("shop/staging/j", {
        variables: Object.fromEntries(
          range(size, (index) => ({ [`V${index}`]: "v" })).flatMap(Object.entries),
        ),
      }),
    ],
    { plan: 0, apply: 0, destroy: 0 },
  ],
];

test.each(worlds)("each one more costs the same requests: %s", async (_what, documentsOf, each) => {
  const counted = async <Result>(work: Promise<Result>): Promise<[Result, number]> => {
    const result = await work;
    const { length } = await harness.seen();
    await harness.forgetRequests();
    return [result, length];
  };
  const spent = { apply: [] as number[], plan: [] as number[], destroy: [] as number[] };
  for (const size of sizes) {
    const documents = documentsOf(size);
    // A run reads a page of events for each hundred changes of the last minutes.
    await harness.advance(600_000);
    await harness.forgetRequests();
    spent.apply.push((await counted(harness.reconcile(documents)))[1]);
    const [plan, requests] = await counted(harness.plan(documents));
    expect(summary(plan)).toEqual([]);
    spent.plan.push(requests);
    await harness.advance(600_000);
    const [destruction, planning] = await counted(harness.plan(documents, {}, "destroy"));
    spent.destroy.push(planning + (await counted(harness.apply(destruction)))[1]);
  }
  const [few = 0, more = 0, many = 0] = sizes;
  const grown = ([first = 0, second = 0, third = 0]: number[]) => [second - first, third - second];
  for (const what of ["plan", "apply"] as const) {
    const [early = 0, late] = grown(spent[what]);
    // The first one also finds out, once for each operation, how the server divides lists.
    expect([0, 1, 2]).toContain(each[what] * (more - few) - early);
    expect(late).toBe(each[what] * (many - more));
  }
  // Deletions end one after the other, so that a list more or less is read.
  expect(grown(spent.destroy)[1]).toBeLessThanOrEqual(each.destroy * (many - more) + 10);
});
