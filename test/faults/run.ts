import { stringify } from "yaml";
import {
  applyPlan,
  type Client,
  type ClientSettings,
  type Clock,
  createClient,
  InvalidInputError,
  makePlan,
  type OperationLimits,
  type Organization,
  type Plan,
  type Policy,
  type Report,
  startRun,
  toDesired,
} from "../../core/index.ts";
import type { Fields } from "../../core/json.ts";
import { parseManifest } from "../../core/manifest/index.ts";
import { openPolicy } from "../fixtures/policy.ts";
import { fastClock } from "./clock.ts";

/** How a server is reached. */
export interface Connection {
  url: string;
  token: string;
  organization: Organization;
}

export interface RunOptions {
  policy?: Partial<Policy>;
  client?: Partial<ClientSettings>;
  limits?: Partial<OperationLimits>;
  parallelism?: number;
  clock?: Clock;
  signal?: AbortSignal;
  goal?: "reconcile" | "destroy";
  /** Called between the plan and the apply. */
  planned?: (plan: Plan) => Promise<unknown>;
}

/** What a run did. */
export interface Run {
  plan: Plan;
  report: Report;
  client: Client;
}

/** Plans and applies as the CLI does, with a client of its own, on a clock that runs fast. */
export async function run(
  connection: Connection,
  documents: readonly Fields[],
  options: RunOptions = {},
): Promise<Run> {
  const { policy, clock = fastClock(), signal, parallelism = 10, goal = "reconcile" } = options;
  const { maxRequests, ...clientSettings } = options.client ?? {};
  const client = createClient(
    {
      baseUrl: connection.url,
      token: connection.token,
      onQuota: "fail",
      ...(signal && { signal }),
      ...clientSettings,
    },
    clock,
  );
  const parsed = parseManifest(documents.map((document) => stringify(document)).join("---\n"), "test.yaml");
  const { resources, problems } = toDesired(parsed.documents);
  const wrong = [...parsed.problems, ...problems];
  if (wrong.length > 0) throw new InvalidInputError(wrong);
  const limits = { clone: 60_000, deletion: 60_000, busy: 30_000, ...options.limits };
  const context = startRun(client, {
    clock,
    limits,
    ...(signal && { signal }),
    ...(maxRequests !== undefined && { maxRequests }),
  });
  const plan = await makePlan(context, connection.organization, goal, resources, {
    ...openPolicy,
    ...policy,
  });
  if (plan.problems.length > 0) throw new InvalidInputError(plan.problems);
  await options.planned?.(plan);
  return { plan, client: context.client, report: await applyPlan(plan, context, { parallelism }) };
}
