import { setTimeout as sleep } from "node:timers/promises";
import { infrasync } from "../cli/captured.ts";
import type { Sent } from "./api-log.ts";
import type { FastEmulator } from "./fast-emulator.ts";
import type { FastTime } from "./fast-time.ts";
import type { SharedFleet } from "./fleet.ts";
import type { Team } from "./teams.ts";
import type { Worker } from "./workers.ts";

/** Something that happens at an hour. */
export type Happening = [hour: number, happens: () => Promise<void> | void];

/** The workers of a day. */
export class Crew {
  readonly #fleet: SharedFleet;
  readonly #time: FastTime;
  readonly #args: readonly string[];
  readonly #token: string;
  readonly workers: Worker[] = [];
  kills = 0;

  constructor(fleet: SharedFleet, time: FastTime, token: string, args: readonly string[]) {
    this.#token = token;
    this.#fleet = fleet;
    this.#time = time;
    this.#args = args;
  }

  async join(): Promise<void> {
    const env = { ...this.#time.env, INFRASYNC_TOKEN: this.#token };
    // A worker that finds no database when it starts ends, and its supervisor starts it again a little later.
    const start = (again: number): ReturnType<SharedFleet["start"]> =>
      this.#fleet.start(env, this.#args).catch(async (error: unknown) => {
        if (again === 0 || !/the database (does not answer|is starting)/.test(String(error))) throw error;
        await sleep(500);
        return start(again - 1);
      });
    this.workers.push(await start(40));
  }

  /** The oldest worker ends as it is asked to. */
  async leave(): Promise<void> {
    const worker = this.workers.shift();
    worker?.child.process.kill("SIGTERM");
    await worker?.child.ended;
  }

  /** Kills the worker that has sent the next write, so many milliseconds later, and starts another one. */
  async killAtWrite(later: number): Promise<void> {
    const { api } = this.#fleet;
    let next: Sent | undefined;
    for (const before = api.writes.length; !next; next = api.writes[before]) await sleep(10);
    await sleep(later);
    const index = this.workers.findIndex(({ name }) => name === next.worker);
    // It may have been asked to end meanwhile.
    if (index === -1) return;
    const [worker] = this.workers.splice(index, 1);
    worker?.child.process.kill("SIGKILL");
    this.kills += 1;
    await this.join();
  }

  /** Each worker makes room for another one. */
  async renew(): Promise<void> {
    for (let each = this.workers.length; each > 0; each -= 1) {
      await this.join();
      await this.leave();
    }
  }

  /** A worker stands still for a while. */
  async freeze(milliseconds: number): Promise<void> {
    const [worker] = this.workers;
    worker?.child.process.kill("SIGSTOP");
    await sleep(milliseconds);
    worker?.child.process.kill("SIGCONT");
  }

  async end(): Promise<void> {
    for (const { child } of this.workers) child.process.kill("SIGTERM");
    await Promise.all(this.workers.map(({ child }) => child.ended));
  }
}

/** Lets things happen at their times. @returns when the last of them is over */
export async function live(time: FastTime, happenings: readonly Happening[]): Promise<void> {
  const running: Promise<void>[] = [];
  for (const [hour, happens] of happenings.toSorted(([one], [other]) => one - other)) {
    await time.until(hour);
    running.push(Promise.resolve(happens()));
  }
  await Promise.all(running);
}

/** The teams whose live resources differ from their newest commit. */
export async function differing(
  teams: readonly Team[],
  api: FastEmulator,
  readers: ReadonlyMap<string, string>,
  folder: string,
): Promise<string[]> {
  const found = await Promise.all(
    teams.map(async ({ name, repository }) => {
      const env = { HOME: folder, INFRASYNC_BASE_URL: api.url, INFRASYNC_TOKEN: readers.get(name) ?? "" };
      const ran = await infrasync(["plan", "--fresh", "--prune", `${repository.folder}/author/infra`], {
        env,
      });
      return ran.stdout.startsWith("No changes") ? [] : [`${name}: ${ran.stdout}${ran.stderr}`];
    }),
  );
  return found.flat();
}

/** Hours that each commit has waited until it was applied, or one after it; undefined if it never was. */
export async function waits(
  { postgres }: SharedFleet,
  teams: readonly Team[],
  time: FastTime,
): Promise<{ team: string; hour: number; waited: number | undefined }[]> {
  const rows = await postgres.query<{ source: string; entry: { at: number; commit?: string; type: string } }>(
    "select source, entry from infrasync.journal",
  );
  return teams.flatMap(({ name, pushes }) => {
    const applied = rows.filter(
      ({ source, entry }) => source === name && (entry.type === "applied" || entry.type === "synced"),
    );
    return pushes.map(({ at }, index) => {
      const later = new Set(pushes.slice(index).map(({ id }) => id));
      const times = applied
        .filter(({ entry }) => later.has(entry.commit ?? "") && entry.at >= time.at(at))
        .map(({ entry }) => entry.at);
      const hour = time.hoursAt(at);
      return {
        team: name,
        hour,
        waited: times.length === 0 ? undefined : (Math.min(...times) - time.at(at)) / 3_600_000,
      };
    });
  });
}

/** Whether the newest commit of a team is applied in all its environments: the journal tells of each environment for itself. */
export async function isApplied({ postgres }: SharedFleet, { name, pushes }: Team): Promise<boolean> {
  const [state] = await postgres.query<{ commit: string | null }>(
    `select content::jsonb #>> '{applied,commit}' as commit from infrasync.source_file
     where source = '${name}' and name = 'state.json'`,
  );
  return state?.commit === pushes.at(-1)?.id;
}

/** The names of what a token has deleted. */
export async function deletions(api: FastEmulator, token: string): Promise<string[]> {
  const path = `/organization/${api.organization.id}/events?eventType=DELETE&triggeredBy=${token}&pageSize=100`;
  const { events } = await api.request("GET", path);
  return (events as { target_name: string }[]).map(({ target_name: name }) => name);
}
