import { describeAddress } from "../../core/model/addresses/address.ts";
import type { OrderOutcome } from "../../core/deployments/index.ts";
import { compare } from "../../core/model/fields/compare.ts";
import { OperationError, messageOf } from "../../core/operations/index.ts";
import { operate } from "../../core/execution/session/index.ts";
import { article } from "../../core/values/text.ts";
import { hasUnknown, unknownValue } from "../../core/problems/unknown.ts";
import { randomUUID } from "node:crypto";
import { type CheckResult, checkProgramResource } from "./check.ts";
import { deploymentInputs } from "./deployment-inputs.ts";
import type { InputDifference } from "./diff.ts";
import { grant } from "./gate.ts";
import type { Order } from "./plan-request.ts";
import { type Properties, cleanInputs, engineProperties } from "./inputs.ts";
import type { RunLedger } from "./ledger.ts";
import type { ProgramResource } from "./program-resource.ts";
import { Secrets } from "./secrets.ts";
import type { ProviderSession } from "./session.ts";

/*
 * A deployment as a resource of a program: its creation deploys services, and so does its replacement, when services or
 * triggers change. It is not a kind, because the server has nothing to read, change or delete.
 */

/** Milliseconds for which a deployment is followed; it continues afterwards. */
const waitTimeout = 30 * 60_000;

const parallelism = 10;

/** Checks inputs, without a request. Unknown values and reported outputs pass. */
function check({ environments: _reported, ...news }: Properties, ledger: RunLedger): CheckResult {
  const { inputs, failures } = checkProgramResource("Deployment", deploymentInputs, news);
  const misfits = idsIn(inputs["services"]).flatMap((id, index) => {
    const kind = ledger.kindOf(id);
    if (!kind || kind.deployment) return [];
    const property = `services[${index}]`;
    const reason = `${property} is the id of ${article(kind.name)}, which is not a service; name the services to deploy`;
    return [{ property, reason }];
  });
  return { inputs, failures: [...failures, ...misfits] };
}

/**
 * Deploys the services: one request for each environment. With `wait` it returns when all services run.
 *
 * @throws RefusedError if a service does not exist; OperationError if a deployment cannot be started or fails
 */
async function create(
  session: ProviderSession,
  news: Properties,
  limit: number = waitTimeout,
): Promise<{ id: string; outs: Properties }> {
  const inputs = cleanInputs(deploymentInputs, news);
  const { granted } = await grant(session, orderOf(inputs));
  const outcomes =
    granted.type === "unchanged"
      ? []
      : await operate(granted.approved, session.run, {
          parallelism,
          ...(inputs["wait"] === true && { wait: limit }),
        });
  const problems = outcomes.flatMap(problemsOf);
  if (problems.length > 0) throw new OperationError("deployment", problems.join("\n"));
  const environments = outcomes.map(({ order }) => order.environment.id);
  return { id: randomUUID(), outs: { ...inputs, ...engineProperties(news), environments } };
}

function orderOf({ services }: Properties): Order {
  return { services: [...new Set(idsIn(services))] };
}

/** A change of `wait` alone deploys nothing. */
function update(olds: Properties, news: Properties): { outs: Properties } {
  const outs = {
    ...cleanInputs(deploymentInputs, news),
    ...new Secrets(news).properties,
    environments: olds["environments"] ?? [],
  };
  return { outs };
}

function idsIn(services: unknown): string[] {
  return Array.isArray(services) ? services.filter((id) => typeof id === "string") : [];
}

/** Why a deployment has not succeeded; empty if it has, or if nobody waits for it. */
function problemsOf({ order, status, services, ended, error }: OrderOutcome): string[] {
  const where = describeAddress(order.environment.address);
  switch (status) {
    case "started":
    case "idle":
    case "done":
      return [];
    case "refused":
      return [`${where}: the deployment has not been started: ${messageOf(error)}`];
    case "failed":
      return services
        .filter(({ result }) => result !== "done" && result !== "untouched")
        .flatMap(({ logs = [], ...progress }) => [
          `${describeAddress(progress.service.address)}: the deployment ${progress.result === "canceled" ? "was cancelled" : "has failed"} (${progress.state})`,
          ...logs.map(({ message }) => `    ${message}`),
        ]);
    case "unfinished":
      return [
        `${where}: the deployment continues, and ${ended === "timeout" ? `has not ended within ${waitTimeout / 60_000} min` : `is no longer followed${error === undefined ? "" : `: ${messageOf(error)}`}`}`,
      ];
    default:
      return status satisfies never;
  }
}

/** Compares inputs; order and duplicates of the services do not count. */
function compareInputs(
  olds: Properties,
  news: Properties,
): Pick<InputDifference, "changes" | "replaces" | "fields"> {
  const [before = {}, after = {}] = [olds, news].map((properties) => {
    const { services = null, ...inputs } = cleanInputs(deploymentInputs, properties);
    const isList = Array.isArray(services);
    return { ...inputs, services: isList ? [...new Set(idsIn(services))].toSorted() : services };
  });
  const fields = compare(deploymentInputs, before, after);
  const replaces = fields.flatMap(({ path: [member = ""], replaces: why }) =>
    why === undefined ? [] : [member],
  );
  return { changes: fields.length > 0 || hasUnknown(after), replaces, fields };
}

export const deployment: ProgramResource = {
  name: "Deployment",
  description:
    "Deploys services when it is created, and again when its services or triggers change: one request for each environment. Its deletion changes nothing on the server: services stay deployed.",
  inputs: deploymentInputs,
  outputs: {
    environments: {
      type: "array",
      items: { type: "string" },
      description: "Ids of the environments of the services.",
    },
  },
  check: (_olds, news, { ledger }) => check(news, ledger),
  // Other services or triggers need a new deployment, which does not wait for the earlier one.
  diff: (_pass, _id, olds, news) => ({
    ...compareInputs(olds, news),
    deleteBeforeReplace: false,
    keepsName: false,
  }),
  // Unknown services are judged when they are deployed; a change of `wait` deploys nothing.
  question: async (_session, news, state) => {
    const services = idsIn(cleanInputs(deploymentInputs, news)["services"]).filter((id) => !hasUnknown(id));
    const isKept = state && compareInputs(state.olds, news).replaces.length === 0;
    return isKept || services.length === 0 ? undefined : orderOf({ services });
  },
  details: ({ fields }) =>
    fields.map(({ path: [path = ""], before, after, replaces }) => ({
      path,
      how: before === undefined ? "add" : after === undefined ? "delete" : "update",
      isOfInputs: true,
      ...(replaces !== undefined && { replaces }),
    })),
  preview: (olds, news) =>
    olds ? update(olds, news).outs : { ...cleanInputs(deploymentInputs, news), environments: unknownValue },
  create: (session, news, { limit }) => create(session, news, limit),
  // Reads nothing: finished deployments cannot be looked up, and the services may have changed since.
  read: async (_session, id, olds) => ({ id, props: olds }),
  isKnown: (state) => Object.hasOwn(state, "services"),
  find: () =>
    Promise.reject(new Error("a Deployment cannot be imported, because the server keeps none; create one")),
  update: async (_session, _id, olds, news) => update(olds, news),
  // The server keeps no record of a deployment that could be deleted.
  remove: async () => {},
};
