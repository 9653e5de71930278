import { Harness } from "../fixtures/harness.ts";
import { isFields } from "../../core/json.ts";
import type { EmulatorOptions } from "../../emulator/index.ts";
import type { Fault, FaultRequest } from "../../emulator/control/faults.ts";
import type { Fields } from "../../core/json.ts";
import { type Connection, run, type Run, type RunOptions } from "./run.ts";

/** A server, what goes wrong with it, and runs against it. */
export class Stage {
  readonly harness: Harness;
  readonly connection: Connection;
  /** What was made twice and put right, as it is in events: `production job-0`. */
  readonly madeTwice = new Set<string>();

  private constructor(harness: Harness) {
    const { emulator, organization } = harness;
    this.harness = harness;
    this.connection = { url: emulator.url, token: emulator.tokens.admin, organization };
  }

  static async open(options: EmulatorOptions = {}): Promise<Stage> {
    return new Stage(await Harness.start(options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.harness[Symbol.asyncDispose]();
  }

  async reset(): Promise<void> {
    this.madeTwice.clear();
    await this.harness.api("POST", "/_emulator/reset");
  }

  async breaks(...faults: FaultRequest[]): Promise<void> {
    await this.harness.api("POST", "/_emulator/faults", faults);
  }

  /** Ends all faults, and says how often they were met. */
  async mend(): Promise<number> {
    const answer = await this.harness.api("GET", "/_emulator/faults");
    await this.harness.api("DELETE", "/_emulator/faults");
    const faults = isFields(answer) ? (answer["results"] as unknown as Fault[]) : [];
    return faults.reduce((sum, { hits }) => sum + hits, 0);
  }

  /** A run that may fail. */
  run(documents: readonly Fields[], options: RunOptions = {}): Promise<Run> {
    return run(this.connection, documents, { ...options });
  }

  /** A run of which everything has to be done. */
  async succeed(documents: readonly Fields[], options: RunOptions = {}): Promise<Run> {
    const done = await this.run(documents, options);
    const bad = done.report.outcomes.filter(({ status }) => status !== "done");
    if (bad.length > 0) throw new Error(JSON.stringify(bad, undefined, 2));
    return done;
  }

  /** The requests since the last call, as `POST /environment/{id}/job`. */
  async requests(): Promise<string[]> {
    const seen = await this.harness.seen();
    await this.harness.forgetRequests();
    return seen.map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "{id}")}`);
  }

  /** All that there is, twins included: path of names -> answer. */
  async everything(): Promise<[path: string, answer: Fields][]> {
    const found: [string, Fields][] = [];
    const { harness, connection } = this;
    for (const project of await harness.results(`/organization/${connection.organization.id}/project`)) {
      const top = String(project["name"]);
      found.push([top, project]);
      for (const environment of await harness.results(`/project/${String(project["id"])}/environment`)) {
        const path = `${top}/${String(environment["name"])}`;
        found.push([path, environment]);
        const services = harness.results(`/environment/${String(environment["id"])}/services`);
        for (const service of await services.catch(noneWhenGone)) {
          found.push([`${path}/${String(service["service_type"])} ${String(service["name"])}`, service]);
        }
      }
    }
    return found;
  }

  /** Paths of names of all that there is: `shop/staging/JOB a`. */
  async names(): Promise<string[]> {
    return (await this.everything()).map(([path]) => path).toSorted();
  }

  /** The answer of the API for the only resource of that path. */
  async answer(path: string): Promise<Fields> {
    const [first, second] = (await this.everything()).filter(([other]) => other === path);
    if (!first || second) throw new Error(`there is ${first ? "more than one" : "no"} ${path}`);
    return first[1];
  }
}

/** What is in an environment whose deletion ended after it was listed. */
function noneWhenGone(error: unknown): Fields[] {
  if (error instanceof Error && error.message.includes(": 404 ")) return [];
  throw error;
}
