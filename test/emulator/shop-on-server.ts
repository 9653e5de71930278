import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import type { FaultRequest } from "../../emulator/control/faults.ts";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, InvalidInputError } from "../../core/index.ts";
import type { Clock, PersistentText } from "../../core/api/index.ts";
import type { Fields } from "../../core/values/json.ts";
import { hasChanges } from "../../core/planning/plan/index.ts";
import { type Behaviour, createEmulator, type Emulator } from "../../emulator/index.ts";
import { application, clone, environment, job, project } from "../fixtures/documents.ts";
import { forward } from "../fixtures/forward.ts";
import { type Connection, keptIn, run, type RunOptions } from "../fixtures/plan-and-apply.ts";
import { send } from "../fixtures/send.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

/** What has come of the scenario. */
export interface Outcome {
  /** Why a step was refused, or has failed: by the step. */
  refusals: string[];
  requests: number;
}

/** Whether all runs are on one machine, or each on a machine that knows nothing of the runs before. */
export type Machines = "one" | "another each time";

interface Named {
  id: string;
  parentId: string;
  kind?: string;
  name: string;
  hidden?: boolean;
  spec?: { cpu?: number };
}

/** More than every size to which servers cut pages in a test, so that each of these cuts. */
const count = 31;
const numbered = (name: string, more: Fields = {}) =>
  Array.from({ length: count }, (_none, index) => job(`${name}-${index}`, more));

const first = [
  project(),
  environment("shop/staging", { variables: { LOG_LEVEL: "info", COPY: "info" } }),
  ...numbered("shop/staging/job"),
  application("shop/staging/web", {
    variables: { PORT: "8080" },
    secrets: { KEY: { from_env: "SHOP_FIRST" } },
  }),
  clone("Job", "shop/staging/copy", "shop/staging/job-0", { memory: 1024 }),
];
/** Adopts what is there, under documents that declare more. */
const second = first.map((document, index) =>
  index > 1 && index < 6 ? { ...document, cpu: 1000 } : document,
);

/** Plays a shop of more than thirty services on a server: it is made by runs of which one is killed, adopted, changed and destroyed. */
export class ShopOnServer {
  readonly #emulator: Emulator;
  readonly #file: string;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #outcome: Outcome = { refusals: [], requests: 0 };
  readonly #machines: Machines;
  readonly #pages = new Map<string, string>();
  #runs = 0;

  private constructor(emulator: Emulator, folder: string, file: string, clock: Clock, machines: Machines) {
    this.#emulator = emulator;
    this.#folder = folder;
    this.#file = file;
    this.#clock = clock;
    this.#machines = machines;
  }

  /**
   * @param killedAt the number of the write after which the first run is killed
   * @param faults of the server, from the first run on
   */
  static async play(
    behaviour: Behaviour,
    killedAt = 9,
    machines: Machines = "one",
    faults: readonly FaultRequest[] = [],
  ): Promise<Outcome> {
    const folder = await mkdtemp(join(tmpdir(), "shop-"));
    const file = join(folder, "data.json");
    const emulator = await createEmulator({
      clock: "frozen",
      behaviour: { rate_limit: 100_000, ...behaviour },
      dataFile: file,
    });
    try {
      const shop = new ShopOnServer(emulator, folder, file, clockOf(emulator), machines);
      await shop.#play(killedAt, faults);
      return shop.#outcome;
    } finally {
      await emulator.close();
      await removeFolder(folder);
    }
  }

  async #play(killedAt: number, faults: readonly FaultRequest[]): Promise<void> {
    await this.#clock.sleep(10_000);
    await this.#makeBystander();
    const others = await this.#truth();
    const headers = { "x-emulator-control": "1" };
    await send(`${this.#emulator.url}/_emulator/faults`, { method: "POST", headers, body: faults });
    await this.#killed(killedAt);
    await this.#checks("the killed run", others);
    await this.#step("the next run", first);
    await this.#checks("the next run", others);
    // What this machine has just created no longer completes a list.
    await this.#clock.sleep(10_800_000);
    await this.#step("the adoption", second);
    await this.#checks("the adoption", others);
    await this.#destroy(others);
  }

  /** A project of somebody else, that no document describes. */
  async #makeBystander(): Promise<void> {
    const { url, tokens, organization, clusters } = this.#emulator;
    const headers = { authorization: `Token ${tokens.admin}` };
    const cluster = clusters[0]?.id;
    await send(`${url}/organization/${organization.id}/project`, {
      method: "POST",
      headers,
      body: { name: "theirs" },
    });
    const projectId = (await this.#truth()).find(({ name }) => name === "theirs")?.id;
    await send(`${url}/project/${projectId}/environment`, {
      method: "POST",
      headers,
      body: { name: "theirs", mode: "STAGING", cluster, cluster_id: cluster },
    });
  }

  async #run(documents: readonly Fields[], options: RunOptions = {}, url = this.#emulator.url) {
    const { tokens, organization } = this.#emulator;
    const connection: Connection = { url, token: tokens.admin, organization };
    const limits = { clone: 60_000, deletion: 60_000, busy: 30_000 };
    this.#runs += 1;
    const machine = join(this.#folder, this.#machines === "one" ? "machine" : `machine-${this.#runs}`);
    await mkdir(machine, { recursive: true });
    const { plan, report, client } = await run(connection, documents, {
      clock: this.#clock,
      limits,
      // A proxy before the server makes it no other one.
      kept: keptIn(machine, { url: this.#emulator.url, token: tokens.admin }),
      client: { pages: this.#pagesOf(machine) },
      ...options,
    });
    this.#outcome.requests += client.spent.total;
    return { plan, report };
  }

  /** What a machine remembers of the lists of the server. */
  #pagesOf(machine: string): PersistentText {
    return {
      read: async () => this.#pages.get(machine),
      write: async (text) => void this.#pages.set(machine, text),
    };
  }

  /** Notes why a step was refused. */
  #refused(step: string, error: unknown): void {
    if (!(error instanceof ApiError || error instanceof InvalidInputError)) throw error;
    this.#outcome.refusals.push(`${step}: ${error.message}`);
  }

  /** Applies documents, and again as long as a run leaves something for the next, or asks to be tried again; an empty plan has to be right. */
  async #step(step: string, documents: readonly Fields[]): Promise<void> {
    let failures: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      try {
        const { plan, report } = await this.#run(documents);
        failures = report.outcomes.flatMap((each) =>
          "reason" in each && each.status !== "done" ? [`${step}: ${JSON.stringify(each)}`] : [],
        );
        if (!hasChanges(plan)) {
          await this.#isMade(step, documents);
          return;
        }
      } catch (error) {
        // A list may lag behind what another operation shows of it: the next run sees more.
        const isToBeTriedAgain = error instanceof ApiError && error.message.includes("try again later");
        if (!isToBeTriedAgain || turn === 3) {
          this.#refused(step, error);
          return;
        }
      }
      await this.#clock.sleep(60_000);
    }
    this.#outcome.refusals.push(...failures, `${step}: does not end`);
  }

  /** An empty plan means that every document is live, once. */
  async #isMade(step: string, documents: readonly Fields[]): Promise<void> {
    const live = new Map((await this.#truth()).map((each) => [each.name.toLowerCase(), each]));
    for (const { name, cpu } of documents) {
      const its = live.get(String(name).toLowerCase());
      assert.ok(its, `${step}: the plan is empty, and ${String(name)} is missing`);
      if (cpu !== undefined)
        assert.equal(its.spec?.cpu, cpu, `${step}: the plan is empty, and ${String(name)} is not as stated`);
    }
  }

  async #killed(killedAt: number): Promise<void> {
    let writes = 0;
    let isKilled = false;
    const proxy = createServer((request, response) => {
      void (async () => {
        const { method = "GET", url: path = "", headers } = request;
        const body = await buffer(request);
        if (method !== "GET") writes += 1;
        if (isKilled) return void request.socket.destroy();
        if (writes > killedAt) isKilled = true;
        const answer = await forward(this.#emulator.url, { method, path, headers, body });
        if (isKilled) return void request.socket.destroy();
        response.writeHead(answer.status, answer.headers).end(answer.content);
      })();
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    try {
      await this.#run(first, {}, `http://127.0.0.1:${port}`);
    } catch (error) {
      if (!isKilled) this.#refused("the first run", error);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
    await this.#clock.sleep(60_000);
  }

  /** Destroys the shop; the plan has to name everything that goes. */
  async #destroy(others: readonly Named[]): Promise<void> {
    const before = await this.#truth();
    for (let turn = 0; turn < 3; turn += 1) {
      try {
        const { plan } = await this.#run(first, {
          goal: "destroy",
          planned: async (planned) => {
            const ids = JSON.stringify(planned.actions);
            if (turn > 0) return;
            const lost = before.filter(({ id }) => !others.some((other) => other.id === id));
            const unnamed = lost.filter(
              ({ id, name }) => !ids.includes(id) && !ids.includes(JSON.stringify(name)),
            );
            assert.deepEqual(
              unnamed.map(({ name }) => name),
              [],
              "the plan of the destruction counts too few",
            );
          },
        });
        await this.#clock.sleep(300_000);
        if (hasChanges(plan)) continue;
      } catch (error) {
        this.#refused("the destruction", error);
        break;
      }
      const left = await this.#truth();
      assert.deepEqual(
        left.map(({ id }) => id).toSorted(),
        others.map(({ id }) => id).toSorted(),
        "an empty plan of a destruction leaves something",
      );
      return;
    }
    await this.#checks("the destruction", others, false);
    this.#outcome.refusals.push("the destruction: does not end");
  }

  /** Nothing is there twice, and nothing of others is gone. */
  async #checks(step: string, others: readonly Named[], mayBeGone = true): Promise<void> {
    const all = await this.#truth();
    const keys = all.map(({ parentId, kind = "", name }) => `${parentId} ${kind} ${name.toLowerCase()}`);
    const doubles = keys.filter((key, index) => keys.indexOf(key) !== index);
    assert.deepEqual(doubles, [], `${step}: there is a double`);
    const ids = new Set(all.map(({ id }) => id));
    if (mayBeGone) for (const { id, name } of others) assert.ok(ids.has(id), `${step}: ${name} is gone`);
  }

  /** What is on the server, whatever its answers say. */
  async #truth(): Promise<Named[]> {
    const { tables } = JSON.parse(await readFile(this.#file, "utf8")) as { tables: Record<string, Named[]> };
    return ["projects", "environments", "services"].flatMap((table) => tables[table] ?? []);
  }
}

/** A clock whose time passes in waits only, on the server too. */
function clockOf({ url }: Emulator): Clock {
  let now = Date.now();
  return {
    now: () => now,
    random: () => 0.5,
    async sleep(milliseconds) {
      now += milliseconds;
      await send(`${url}/_emulator/clock`, {
        method: "POST",
        headers: { "x-emulator-control": "1" },
        body: { advance_ms: Math.ceil(milliseconds) },
      });
    },
  };
}
