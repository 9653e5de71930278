import {
  applyPlan,
  type Client,
  createClient,
  findOrganization,
  formatAddress,
  makePlan,
  type OperationContext,
  type Organization,
  type Plan,
  type Policy,
  type Report,
  startRun,
} from "../../../core/index.ts";
import { type Fields, isFields, type Json } from "../../../core/json.ts";
import { desiredOf } from "../plan/desired.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/index.ts";

/** A request that the emulator has seen. */
export interface Seen {
  method: string;
  path: string;
  status: number;
}

/** A policy that forbids nothing but what a test is about. */
export const openPolicy: Policy = {
  targets: [],
  prune: false,
  allowReplace: [],
  protect: [],
  caps: { count: 1000, percent: 100 },
  strict: false,
};

/** The engine and a server of its own. */
export class Harness {
  readonly emulator: Emulator;
  readonly client: Client;
  readonly organization: Organization;

  private constructor(emulator: Emulator, client: Client, organization: Organization) {
    this.emulator = emulator;
    this.client = client;
    this.organization = organization;
  }

  static async start(options: EmulatorOptions = {}): Promise<Harness> {
    const emulator = await createEmulator({ rateLimit: 0, ...options });
    const client = Harness.connect(emulator);
    return new Harness(emulator, client, await findOrganization(client, undefined));
  }

  static connect(emulator: Emulator): Client {
    return createClient({ baseUrl: emulator.url, token: emulator.tokens.admin, onQuota: "fail" });
  }

  /** The same emulator behind another URL. */
  through(baseUrl: string): Harness {
    const client = createClient({ baseUrl, token: this.emulator.tokens.admin, onQuota: "fail" });
    return new Harness(this.emulator, client, this.organization);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.emulator.close();
  }

  plan(
    documents: readonly Fields[] | string,
    policy: Partial<Policy> = {},
    goal: "reconcile" | "destroy" = "reconcile",
  ): Promise<Plan> {
    const { resources, problems } = desiredOf(documents);
    if (problems.length > 0)
      throw new Error(`invalid manifests: ${problems.map(({ message }) => message).join("; ")}`);
    return makePlan(this.context(), this.organization, goal, resources, { ...openPolicy, ...policy });
  }

  context(overrides: Partial<OperationContext> = {}): OperationContext {
    const limits = { clone: 5_000, deletion: 5_000, busy: 5_000 };
    return { ...startRun(this.client, { limits }), ...overrides };
  }

  apply(plan: Plan, overrides: Partial<OperationContext> = {}): Promise<Report> {
    return applyPlan(plan, this.context(overrides), { parallelism: 10 });
  }

  /** Plans and applies; fails when anything was not done. */
  async reconcile(documents: readonly Fields[] | string, policy: Partial<Policy> = {}): Promise<Plan> {
    const plan = await this.plan(documents, policy);
    if (plan.problems.length > 0) throw new Error(plan.problems.map(({ message }) => message).join("; "));
    const report = await this.apply(plan);
    const bad = report.outcomes.filter(({ status }) => status !== "done");
    if (bad.length > 0) throw new Error(JSON.stringify(bad, undefined, 2));
    return plan;
  }

  /** A request that knows nothing of the engine. */
  async api(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await fetch(this.emulator.url + path, {
      method,
      headers: {
        authorization: `Token ${this.emulator.tokens.admin}`,
        "content-type": "application/json",
        ...(path.startsWith("/_emulator/") && { "x-emulator-control": "1" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? null : (JSON.parse(text) as Json);
  }

  async results(path: string): Promise<Fields[]> {
    const answer = await this.api("GET", path);
    const list = isFields(answer) ? answer["results"] : undefined;
    return Array.isArray(list) ? list.filter((item) => isFields(item)) : [];
  }

  /** All that the organization holds, as answers: path of names -> answer. */
  async everything(): Promise<Map<string, Fields>> {
    const found = new Map<string, Fields>();
    for (const project of await this.results(`/organization/${this.emulator.organization.id}/project`)) {
      found.set(String(project["name"]), project);
      for (const environment of await this.results(`/project/${String(project["id"])}/environment`)) {
        const path = `${String(project["name"])}/${String(environment["name"])}`;
        found.set(path, environment);
        for (const service of await this.results(`/environment/${String(environment["id"])}/services`)) {
          found.set(`${path}/${String(service["service_type"])} ${String(service["name"])}`, service);
        }
      }
    }
    return found;
  }

  /** The id of what is at a path of names, as `everything` has them. */
  async idOf(path: string): Promise<string> {
    return String((await this.everything()).get(path)?.["id"]);
  }

  async seen(): Promise<Seen[]> {
    const answer = await this.api("GET", "/_emulator/requests");
    return isFields(answer) ? (answer["requests"] as unknown as Seen[]) : [];
  }

  async writes(): Promise<Seen[]> {
    return (await this.seen()).filter(({ method }) => method !== "GET");
  }

  async forgetRequests(): Promise<void> {
    await this.api("DELETE", "/_emulator/requests");
  }
}

/** What a plan does, a line each: `update job:shop/staging/a: cpu 500 -> 750`. */
export function summary(plan: Plan): string[] {
  return plan.actions
    .filter(({ type }) => type !== "none")
    .map((action) => {
      const changes = "changes" in action ? action.changes : [];
      const detail = changes.map(
        ({ path, before, after }) =>
          `${path.join(".")} ${JSON.stringify(before) ?? "-"} -> ${JSON.stringify(after) ?? "-"}`,
      );
      return `${action.type} ${formatAddress(action.address)}${detail.length > 0 ? `: ${detail.join(", ")}` : ""}`;
    });
}
