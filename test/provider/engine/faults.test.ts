import { expect, test } from "vitest";
import type { Harness } from "../../fixtures/harness.ts";
import { faultGrid, faultKinds, isSoak, seed } from "../../fixtures/fault-kinds.ts";
import { frontEnds } from "./front-ends.ts";
import type { Stack } from "./stack.ts";
import { nothing, program, start } from "./shop.ts";

/** Ten resources, with a clone that has an override. */
const text = program(`
  const shop = new Project("shop", { name: "shop" });
  const staging = new Environment("staging", { project: shop.id, name: "staging" });
  const job = (name: string) => new Job(name, {
    environment: staging.id, name,
    source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
    schedule: { onStart: {} },
  });
  const [first] = ["a", "b", "c", "d", "e", "f", "g"].map(job);
  new Job("clone", { environment: staging.id, name: "clone", cloneFrom: first.id, cpu: 700 });
`);

/** About as many positions as an `up` without faults sends requests; four of the cases, or all in a soak. */
const chosen = faultGrid(20)
  .filter((_case, index) => isSoak || index % 57 === (seed * 17) % 57)
  .flatMap((fault) => frontEnds.map((frontEnd) => ({ ...fault, frontEnd })));

let runs = 0;
let hit = 0;
let mended = 0;

test.for(chosen)(
  "$frontEnd.name, request $position of an up: $kind; another up completes it, without a duplicate or an orphan",
  async ({ position, kind, frontEnd }, context) => {
    const { server, stack } = await start(context, text, {}, frontEnd);
    await server.api("POST", "/_emulator/faults", [{ ...faultKinds[kind], after: position, times: 1 }]);
    const first = await stack.up();
    runs += 1;
    hit += (await server.seen()).filter((request) => "fault" in request).length;
    await server.api("DELETE", "/_emulator/faults");
    if (first.exitCode !== 0) {
      mended += 1;
      expect(first.errors.join("\n")).not.toBe("");
      expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    }
    await expectWhole(server, stack);
    if (isSoak) expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);

test("nearly all of these faults were applied", () => {
  console.info(`${runs} runs of the Pulumi engine met ${hit} faults, ${mended} of them needed another up`);
  expect(hit).toBeGreaterThanOrEqual(runs * 0.9);
});

/** What is in the state is what is live, each once. */
async function expectWhole(server: Harness, stack: Stack): Promise<void> {
  const live = await server.everything();
  expect([...live.keys()].toSorted()).toEqual([
    "shop",
    "shop/staging",
    ...["a", "b", "c", "clone", "d", "e", "f", "g"].map((name) => `shop/staging/JOB ${name}`),
  ]);
  expect(live.get("shop/staging/JOB clone")).toMatchObject({ cpu: 700 });
  const environment = String(live.get("shop/staging")?.["id"]);
  expect((await server.results(`/environment/${environment}/services`)).length).toBe(8);
  const { resources } = await stack.export();
  expect(resources.flatMap(({ id }) => id ?? []).toSorted()).toEqual(
    [...live.values()].map(({ id }) => String(id)).toSorted(),
  );
  expect(resources.flatMap(({ initErrors = [] }) => initErrors)).toEqual([]);
}
