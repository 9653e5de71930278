import { expect, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { Harness } from "../../fixtures/harness.ts";
import { faultGrid, faultKinds, type FaultKind, isSoak } from "../../fixtures/fault-kinds.ts";
import { fastClock } from "../../fixtures/fast-clock.ts";
import { type Entry, Pass } from "./pass.ts";
import { seed } from "../../fixtures/random-cases.ts";

const names = ["a", "b", "c"];

/** The state of a small stack, and the steps of an `up` on it, in the order of the engine. */
class SmallStack {
  readonly entries = new Map<string, Entry>();
  readonly #server: Harness;

  constructor(server: Harness) {
    this.#server = server;
  }

  /** Whether all steps are done. A step is skipped when a step that it depends on has failed. */
  async up(): Promise<boolean> {
    const pass = await Pass.start(this.#server.emulator, {}, fastClock());
    const bring = async (name: string, kind: string, inputs: Properties): Promise<string | undefined> => {
      try {
        const known = this.entries.get(name);
        const entry = known ? (await pass.up(known, inputs)).entry : await pass.create(kind, inputs);
        this.entries.set(name, entry);
        return entry.initErrors.length === 0 ? entry.id : undefined;
      } catch {
        return undefined;
      }
    };
    const project = await bring("shop", "Project", { name: "shop" });
    const environment = project && (await bring("staging", "Environment", { project, name: "staging" }));
    if (!environment) return false;
    const job = (name: string): Properties => ({
      environment,
      name,
      source: { image: { registry: "docker-hub", imageName: "acme/report", tag: "1" } },
      schedule: { onStart: {} },
    });
    const jobs = await Promise.all(names.map((name) => bring(name, "Job", job(name))));
    const [first] = jobs;
    const clone =
      first && (await bring("clone", "Job", { environment, name: "clone", cloneFrom: first, cpu: 700 }));
    return !jobs.includes(undefined) && clone !== undefined;
  }
}

/**
 * As many positions as an `up` without faults sends requests, and some more; one third of the cases, or all in a soak.
 */
const cases = faultGrid(18).filter((_case, index) => isSoak || index % 5 === seed % 5);

test("after a fault of any kind at any request of an up, another up completes it", async () => {
  let hit = 0;
  let mended = 0;
  const queue = [...cases];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const outcome = await runCase(next.position, next.kind);
      hit += outcome.hit;
      mended += outcome.mended ? 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: 12 }, work));
  expect(hit).toBeGreaterThan(cases.length * 0.7);
  expect(mended).toBeGreaterThan(0);
  console.info(`${cases.length} faults, ${hit} of them met, ${mended} of these needed another up`);
});

async function runCase(position: number, kind: FaultKind): Promise<{ hit: number; mended: boolean }> {
  await using server = await Harness.start();
  await server.forgetRequests();
  await server.api("POST", "/_emulator/faults", [{ ...faultKinds[kind], after: position, times: 1 }]);
  const stack = new SmallStack(server);
  const isDone = await stack.up();
  const hit = (await server.seen()).filter((request) => "fault" in request).length;
  await server.api("DELETE", "/_emulator/faults");
  const where = `request ${position}: ${kind}`;
  if (!isDone) expect(await stack.up(), where).toBe(true);

  const live = await server.everything();
  const staging = String(live.get("shop/staging")?.["id"]);
  expect((await server.results(`/environment/${staging}/services`)).length, where).toBe(names.length + 1);
  expect([...stack.entries.values()].map(({ id }) => id).toSorted(), where).toEqual(
    [...live.values()].map(({ id }) => String(id)).toSorted(),
  );
  expect(live.get("shop/staging/JOB clone"), where).toMatchObject({ cpu: 700 });

  await server.forgetRequests();
  expect(await stack.up(), where).toBe(true);
  expect(await server.seen(), where).toEqual([]);
  return { hit, mended: !isDone };
}
