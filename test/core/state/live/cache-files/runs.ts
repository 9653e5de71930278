import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { createClient } from "../../../../../core/api/index.ts";
import type { Goal, Plan, Run } from "../../../../../core/index.ts";
import { PartsCache, type PartsCacheSettings } from "../../../../../core/state/live/index.ts";
import { propose, startRun } from "../../../../../core/execution/session/index.ts";
import { desiredOf } from "../../../../fixtures/desired.ts";
import type { Harness } from "../../../../fixtures/harness.ts";
import { openPolicy } from "../../../../fixtures/policy.ts";
import { removeFolder } from "../../../../fixtures/remove-folder.ts";

export const minute = 60_000;

/** Environments with jobs that have two variables each. */
export function jobs(
  environments: number,
  count: number,
  value = (name: string) => `value of ${name}`,
): string {
  const names = Array.from({ length: environments }, (_, index) => `e${index}`);
  return [
    "kind: Project\nname: shop\n",
    ...names.map((name) => `kind: Environment\nproject: shop\nname: ${name}\nmode: STAGING\n`),
    ...names.flatMap((name) =>
      Array.from(
        { length: count },
        (_, index) =>
          `kind: Job\nenvironment: shop/${name}\nname: j${index}\n` +
          "source: { image: { registry: docker-hub, image_name: acme/report, tag: 1.4.2 } }\n" +
          `schedule: { cronjob: { scheduled_at: "0 3 * * *" } }\n` +
          `variables: { NAME: "${value(`${name}/j${index}`)}", LEVEL: info }\n`,
      ),
    ),
  ].join("---\n");
}

/** Runs on one server that share a folder, each as a process of its own has it. */
export class KeptRuns {
  folder = "";
  /** What they have learned about the pages of the server. */
  #pages: string | undefined;
  readonly #harness: Harness;

  constructor(harness: Harness) {
    this.#harness = harness;
    beforeEach(async () => {
      this.folder = await mkdtemp(join(tmpdir(), "infrasync-parts-"));
      this.#pages = undefined;
    });
    afterEach(() => removeFolder(this.folder));
  }

  /** A run of its own. */
  start(settings: Partial<PartsCacheSettings> = {}): Run {
    const { emulator, clock } = this.#harness;
    const pages = { read: async () => this.#pages, write: async (text: string) => void (this.#pages = text) };
    const access = { baseUrl: emulator.url, token: emulator.tokens.admin };
    const client = createClient({ ...access, onQuota: "fail", pages }, clock);
    const kept = new PartsCache({
      folder: this.folder,
      token: emulator.tokens.admin,
      baseUrl: emulator.url,
      maxAge: 60 * minute,
      fresh: false,
      ...settings,
    });
    const run = startRun(client, { cache: kept });
    return this.#harness.context({ live: run.live, client: run.client, freshLists: run.freshLists });
  }

  /** A plan of a run of its own, that run, and how many requests it has sent. */
  async plan(
    text: string,
    settings?: Partial<PartsCacheSettings>,
    goal: Goal = "reconcile",
  ): Promise<{ plan: Plan; requests: number; run: Run }> {
    const harness = this.#harness;
    await harness.forgetRequests();
    const run = this.start(settings);
    const { resources } = desiredOf(text);
    const policy = { ...openPolicy, isForThisRun: goal === "destroy" };
    const { plan } = await propose(run, harness.organization, goal, resources, policy);
    return { plan, run, requests: (await harness.seen()).length };
  }

  /** Brings everything about, and lets the events of that settle. */
  async settle(text: string): Promise<void> {
    await this.#harness.reconcile(text);
    await this.#harness.advance(minute);
  }

  /** Changes a variable of a job, as a person would. @param event whether the server records it */
  async changeVariable(job: string, key: string, value: string, event?: "missing"): Promise<void> {
    const harness = this.#harness;
    const id = await harness.idOf(`shop/e0/JOB ${job}`);
    const variables = await harness.results(`/variable?parent_id=${id}&scope=JOB`);
    const variable = variables.find((each) => each["key"] === key);
    if (event) await harness.api("POST", "/_emulator/faults", [{ method: "PUT", events: event, times: 1 }]);
    await harness.api("PUT", `/variable/${String(variable?.["id"])}`, { key, value });
  }
}
