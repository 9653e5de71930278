import { asNotKnown, Halted, NotKnown } from "./not-known.ts";
import { type Connection, Server } from "./server.ts";
import {
  type Leftover,
  newProjectName,
  removalRequests,
  removeAll,
  setUp,
  setUpRequests,
  type Stage,
} from "./stage.ts";
import type { AssumptionCase, CaseFinding } from "./assumption-case.ts";

/** How many requests these cases send at most, with the project that they need; without finding the organization. */
export function requestsOf(cases: readonly AssumptionCase[]): number {
  const own = cases.reduce((sum, { requests }) => sum + requests, 0);
  return needsProject(cases) ? own + setUpRequests + removalRequests : own;
}

function needsProject(cases: readonly AssumptionCase[]): boolean {
  return cases.some(({ needs }) => needs === "environment");
}

/** Where and as what cases run. */
interface Place {
  organizationId: string;
  /** The beginning of the name of the throwaway project. */
  prefix: string;
}

/** A run of cases on a server, in a throwaway project if one of them needs it. */
export class StoryRun {
  readonly #server: Server;
  readonly #place: Place;
  readonly #project: string | undefined;
  #stage: Stage | NotKnown;

  private constructor(server: Server, place: Place, stage: Stage | NotKnown, project: string | undefined) {
    this.#server = server;
    this.#place = place;
    this.#stage = stage;
    this.#project = project;
  }

  /** Makes the project. */
  static async start(
    connection: Connection,
    cases: readonly AssumptionCase[],
    place: Place,
  ): Promise<StoryRun> {
    const server = new Server(connection);
    const { organizationId, prefix } = place;
    if (needsProject(cases)) {
      const project = newProjectName(prefix);
      const stage = await setUp(server, organizationId, project).catch(asNotKnown);
      return new StoryRun(server, place, stage, project);
    }
    const empty = { name: "", projectId: "", environmentId: "", clusterId: "", registryId: "" };
    return new StoryRun(server, place, { server, organizationId, ...empty }, undefined);
  }

  /** How many requests have been sent. */
  get requests(): number {
    return this.#server.spent;
  }

  /** Runs a case; after a finding that ends the run, no other is known. */
  async check(one: AssumptionCase): Promise<CaseFinding> {
    try {
      if (this.#stage instanceof NotKnown) throw this.#stage;
      this.#server.allow(one.requests);
      return await one.check(this.#stage);
    } catch (error) {
      const reason = asNotKnown(error);
      if (reason instanceof Halted) this.#stage = reason;
      return { result: "not known", seen: reason.message };
    }
  }

  /** Removes what this run has made, also where the answer to a creation was lost. @returns what could not be removed */
  async end(): Promise<Leftover | undefined> {
    const name = this.#project;
    if (name === undefined) return undefined;
    try {
      const found = await removeAll(this.#server, this.#place.organizationId, name);
      return found.find(({ reason }) => reason !== undefined);
    } catch (error) {
      return { noun: "project", name, reason: asNotKnown(error).message };
    }
  }
}

/** Removes what earlier runs have left behind. @returns what was found */
export function removeLeftovers(
  connection: Connection,
  { organizationId, prefix }: Place,
): Promise<Leftover[]> {
  return removeAll(new Server(connection), organizationId, prefix);
}
