import { setTimeout as sleep } from "node:timers/promises";
import type { Fields } from "../../core/values/json.ts";
import type { GitRepository } from "../fixtures/git-repository.ts";
import type { FastEmulator } from "./fast-emulator.ts";

/** A commit that a team has pushed. */
export interface Push {
  id: string;
  /** Milliseconds since 1970, by the machine. */
  at: number;
}

/** The first jobs of a team. */
const firstJobs = 4;
/** The processor that somebody gives a job by hand. */
const cpuByHand = 77;

/** The manifest of a team's project. */
export function projectOf(team: string): string {
  return `kind: Project
name: ${team}
---
kind: Environment
project: ${team}
name: live
mode: STAGING
cluster: eu-west
manage: { prune: true }
`;
}

function jobOf(team: string, name: string, cpu: number): string {
  return `kind: Job
environment: ${team}/live
name: ${name}
cpu: ${cpu}
source: { image: { registry: docker-hub, image_name: acme/report, tag: "1" } }
schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: UTC } }
`;
}

/** A team: it commits, and changes by hand what its source keeps in step. */
export class Team {
  readonly name: string;
  readonly repository: GitRepository;
  readonly #api: FastEmulator;
  readonly #below: (below: number) => number;
  /** The processor of each job that its newest commit describes. */
  readonly #jobs = new Map<string, number>();
  readonly pushes: Push[] = [];
  /** The names that infrasync may delete: a commit has dropped them. What none has ever had stays. */
  readonly dropped = new Set<string>();
  /** How often somebody has changed something by hand. */
  cache = 0;
  #count = 0;
  /** The name of the job that somebody has changed by hand for good. */
  #byHand: string | undefined;
  #environmentId: string | undefined;

  constructor(name: string, repository: GitRepository, api: FastEmulator, below: (below: number) => number) {
    this.name = name;
    this.repository = repository;
    this.#api = api;
    this.#below = below;
    for (let each = 0; each < firstJobs; each += 1) this.#jobs.set(this.#nextName(), 500);
    this.#push({});
  }

  /** The names of the jobs that its newest commit describes. */
  get jobs(): string[] {
    return [...this.#jobs.keys()];
  }

  /** Commits another processor of a job, or one more job; a job that somebody has changed by hand for good keeps its document. */
  change(): void {
    const free = [...this.#jobs].filter(([name]) => name !== this.#byHand);
    const [name = "", cpu = 0] = free[this.#below(free.length)] ?? [];
    if (this.#below(3) > 0) this.#jobs.set(name, 100 + ((cpu + 150) % 1900));
    else this.#jobs.set(this.#nextName(), 500);
    this.#push({});
  }

  /** Changes a job by hand, which its source only reports. */
  async deviate(): Promise<void> {
    const [job = {}] = await this.#all();
    this.#byHand = String(job["name"]);
    await this.#api.request("PUT", `/job/${String(job["id"])}`, { ...job, cpu: cpuByHand });
  }

  /** Commits what somebody has changed by hand. Gives whether that was still so. */
  async settle(): Promise<boolean> {
    const job = (await this.#live()).find(({ name }) => name === this.#byHand);
    this.#jobs.set(this.#byHand ?? "", cpuByHand);
    this.#push({});
    return job?.["cpu"] === cpuByHand;
  }

  /** The ids of its environment and its jobs, once all of them are there. */
  async ids(): Promise<string[]> {
    const all = await this.#all();
    return [String(await this.#environment()), ...all.map(({ id }) => String(id))];
  }

  /** The jobs of its first commit, once infrasync has made them. */
  async #all(): Promise<Fields[]> {
    for (;;) {
      const live = await this.#live();
      if (live.length >= firstJobs) return live;
      await sleep(100);
    }
  }

  /** Commits many more jobs. */
  grow(by: number): void {
    for (let each = 0; each < by; each += 1) this.#jobs.set(this.#nextName(), 500);
    this.#push({});
  }

  /** Commits that a job goes. */
  drop(): void {
    const name = this.jobs.at(-1);
    if (name === undefined) return;
    this.#jobs.delete(name);
    this.dropped.add(name);
    this.#push({ [`infra/${name}.yaml`]: undefined });
  }

  /** Commits that all jobs stay that exist and that it does not describe. */
  async keepAll(): Promise<void> {
    const kept = (await this.#live()).map(({ name }) => String(name)).filter((name) => !this.#jobs.has(name));
    for (const name of kept) {
      this.#jobs.set(name, 500);
      this.dropped.delete(name);
    }
    if (kept.length > 0) this.#push({});
  }

  /** Changes, deletes, or deploys a job by hand, or adds one. */
  async meddle(): Promise<void> {
    const live = await this.#live();
    const job = live[this.#below(live.length)];
    if (!job) return;
    this.cache += 1;
    const path = `/job/${String(job["id"])}`;
    switch (this.#below(5)) {
      case 0:
        await this.#api.request("DELETE", path);
        break;
      case 1:
        await this.#copy(path);
        break;
      case 2:
        await this.#api.request("POST", `${path}/deploy`, {});
        break;
      default:
        await this.#api.request("PUT", path, { ...job, cpu: 60 + this.#below(30) });
    }
  }

  /** Adds a job by hand, which no commit has ever declared. */
  async add(): Promise<void> {
    const [job] = await this.#all();
    this.cache += 1;
    await this.#copy(`/job/${String(job?.["id"])}`);
  }

  async #copy(path: string): Promise<void> {
    const name = `${this.name}-by-hand-${this.cache}`;
    await this.#api.request("POST", `${path}/clone`, { name, environment_id: await this.#environment() });
  }

  /** The jobs of the team that exist. */
  async #live(): Promise<Fields[]> {
    const environment = await this.#environment();
    if (environment === undefined) return [];
    const { results } = await this.#api.request("GET", `/environment/${environment}/job`);
    return results as Fields[];
  }

  /** The id of its environment; undefined before infrasync has made it. */
  async #environment(): Promise<string | undefined> {
    this.#environmentId ??= await this.#find();
    return this.#environmentId;
  }

  async #find(): Promise<string | undefined> {
    const { results: projects } = await this.#api.request(
      "GET",
      `/organization/${this.#api.organization.id}/project`,
    );
    const project = (projects as Fields[]).find(({ name }) => name === this.name);
    if (!project) return undefined;
    const { results } = await this.#api.request("GET", `/project/${String(project["id"])}/environment`);
    const [environment] = results as Fields[];
    return environment && String(environment["id"]);
  }

  #nextName(): string {
    return `${this.name}-${(this.#count += 1)}`;
  }

  #push(more: Record<string, undefined>): void {
    // A worker may have applied the commit before git, as a process, has ended.
    const at = Date.now();
    const id = this.repository.push({
      "infra/a.yaml": projectOf(this.name),
      ...Object.fromEntries(
        [...this.#jobs].map(([name, cpu]) => [`infra/${name}.yaml`, jobOf(this.name, name, cpu)]),
      ),
      ...more,
    });
    this.pushes.push({ id, at });
  }
}
