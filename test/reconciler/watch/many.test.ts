import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { job } from "../../fixtures/manifests.ts";
import { startTimedBench } from "../fixture.ts";

const minute = 60_000;
const names = Array.from({ length: 12 }, (_, index) => `e${index}`);
const jobs = Array.from({ length: 10 }, (_, index) => `job-${index}`);

const documents = (environment: string) =>
  `---\nkind: Environment\nproject: shop\nname: ${environment}\nmode: STAGING\n` +
  jobs.map((name) => job(name, 'cpu: 500\nvariables: { A: "1", B: "2" }', `shop/${environment}`)).join("");

/** Twelve environments with ten jobs of two variables each: to read all of it takes more than an hour's share for looking. */
async function startMany() {
  const { bench, checking, pass } = await startTimedBench(1000);
  const { server, repository } = bench;
  await server.reconcile(`kind: Project\nname: shop\n${documents("e0")}`);
  await pass(60 * minute);
  const first = await server.idOf("shop/e0");
  const cluster = (await server.everything()).get("shop/e0")?.["cluster_id"];
  for (const name of names.slice(1))
    await server.api("POST", `/environment/${first}/clone`, { name, cluster_id: cluster, mode: "STAGING" });
  repository.push({
    "infra/shop.yaml": "kind: Project\nname: shop\n",
    ...Object.fromEntries(names.map((name) => [`infra/${name}.yaml`, documents(name)])),
  });
  await pass(60 * minute);
  const ids = new Map([...(await server.everything())].map(([name, { id }]) => [name, String(id)]));
  /** Somebody changes a job. */
  const drift = async (environment: string, cpu: number, isHidden = false) => {
    if (isHidden)
      await server.api("POST", "/_emulator/faults", [
        { method: "PUT", path: "/job/*", events: "missing", times: 1 },
      ]);
    const path = `/job/${ids.get(`shop/${environment}/JOB job-3`)}`;
    await server.api("PUT", path, { ...((await server.api("GET", path)) as Fields), cpu });
  };
  /** A minute passes, and there is a look. Gives the states of the environments. */
  const refresh = async () => {
    await pass(minute);
    const { environments = [] } = await bench.reconciler.cycle();
    const { limit = 0, remaining = 0 } = checking.budget;
    mostInWindow = Math.max(mostInWindow, limit - remaining);
    return new Map(environments.map(({ environment, state }) => [environment.replace("shop/", ""), state]));
  };
  let mostInWindow = 0;
  return { ...bench, drift, refresh, mostInWindow: () => mostInWindow };
}

test("drift with an event is seen at the next look for hours, without one within the period that is declared, and the share holds", async () => {
  const many = await startMany();
  const unread: number[] = [];
  let states = await many.refresh();
  let hidden: { environment: string; since: number; period: number } | undefined;
  let found: number | undefined;
  for (let at = 0; at < 10 * 60 && found === undefined; at += 1) {
    // Every ten minutes somebody changes something in what has been read, and five minutes later sets it back.
    const read = names.filter((name) => states.get(name) !== "unread");
    const environment = read[Math.floor(at / 10) % read.length] ?? "";
    if (at % 10 === 0) await many.drift(environment, 700);
    if (at % 10 === 5) await many.drift(environment, 500);
    if (at === 206) {
      hidden = { environment: "e8", since: at, period: (many.rateBudget.view()?.period ?? 0) / minute };
      await many.drift("e8", 900, true);
    }
    states = await many.refresh();
    unread.push([...states.values()].filter((state) => state === "unread").length);
    if (at % 10 === 0) expect([at, states.get(environment)]).toEqual([at, "drift"]);
    if (hidden && found === undefined && states.get("e8") === "drift" && environment !== "e8") found = at;
  }
  // The first look is spread over hours: what is known by then grows with each window.
  expect([unread[0], unread[59], unread[120]]).toEqual([9, 8, 2]);
  expect(hidden?.period).toBeLessThan(4 * 60);
  expect((found ?? Infinity) - (hidden?.since ?? 0)).toBeLessThanOrEqual(hidden?.period ?? 0);
  expect(many.mostInWindow()).toBeLessThanOrEqual(200);
}, 400_000);
