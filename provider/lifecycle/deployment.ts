import { describeAddress } from "../../core/address.ts";
import {
  type DeploymentOrder,
  type OrderOutcome,
  type ServiceProgress,
  deploymentsOf,
} from "../../core/deployments/index.ts";
import { compare } from "../../core/fields/compare.ts";
import type { FieldSchema, Kind } from "../../core/kinds/index.ts";
import { OperationError, messageOf } from "../../core/operations/index.ts";
import type { Problem } from "../../core/problem.ts";
import { operate, proposeOperation } from "../../core/session/index.ts";
import { article } from "../../core/text.ts";
import { hasUnknown, unknownValue } from "../../core/unknown.ts";
import { randomUUID } from "node:crypto";
import { type Checked, type InputMistake, checkProgramResource } from "./check.ts";
import { deploymentInputs } from "./deployment-inputs.ts";
import type { PropertyChange } from "./details.ts";
import type { InputDifference } from "./diff.ts";
import { RefusedError } from "./errors.ts";
import { approveAs, policyOf } from "./gate.ts";
import { type Properties, cleanInputs, engineProperties } from "./inputs.ts";
import type { RunLedger } from "./ledger.ts";
import type { ProgramResource } from "./program-resource.ts";
import { Secrets } from "./secrets.ts";
import type { ProviderSession } from "./session.ts";
import type { ProviderSettings } from "./settings.ts";
import { notesInWords, problemInWords } from "./words.ts";

/*
 * A deployment as a resource of a program: its creation deploys services, and so does its replacement, when its services
 * or its triggers change. It is not a kind, because the server has nothing that could be read, changed or deleted.
 */

/** How long a deployment is followed, in milliseconds; it goes on after that. */
const waitTimeout = 30 * 60_000;

const parallelism = 10;

/** Checks inputs, without a request. Values that are not known yet pass, and so does what a deployment reports. */
function check({ environments: _reported, ...news }: Properties, ledger: RunLedger): Checked {
  const { inputs, failures } = checkProgramResource("Deployment", deploymentInputs, news);
  return { inputs, failures: [...failures, ...misfits(inputs, (id) => ledger.kindOf(id))] };
}

/** The ids of resources that are not deployed by themselves, such as environments. */
function misfits(news: Properties, kindOfId: (id: string) => Kind | undefined): InputMistake[] {
  return idsIn(news["services"]).flatMap((id, index) => {
    const kind = kindOfId(id);
    if (!kind || kind.deployment) return [];
    const property = `services[${index}]`;
    const reason = `${property} is the id of ${article(kind.name)} ${kind.name}, which is no service; name the services to deploy`;
    return [{ property, reason }];
  });
}

/** What a deployment of the services needs, with the terms of the stack. @throws RefusedError if a service does not exist */
async function proposed(session: ProviderSession, news: Properties) {
  const ids = [...new Set(idsIn(news["services"]))];
  const { run } = session;
  const organization = { id: await session.parentIdOf(undefined) };
  const { orders, missing } = await deploymentsOf(run, organization.id, ids);
  if (missing.length > 0)
    throw new RefusedError(
      `there is no service with the id ${missing.join(", ")} that can be deployed; nothing has been deployed; correct services`,
    );
  const proposal = proposeOperation(
    run,
    organization,
    { orders, chosenBy: [] },
    policyOf(session.settings, 0),
  );
  return { orders, proposal };
}

/**
 * Judges a deployment with the policies and protections of the team, for a preview. One of services that are not known yet, or not
 * there yet, is judged when it is made.
 *
 * @throws RefusedError where it is forbidden
 */
async function judge(session: ProviderSession, news: Properties): Promise<readonly string[]> {
  const { policies, protect } = session.settings;
  if (policies.length + protect.length === 0 || hasUnknown(news["services"])) return [];
  const { proposal } = await proposed(session, news);
  refuseForbidden(proposal.plan.problems, session.settings);
  return notesInWords(proposal.plan.notes, "the Deployment");
}

function refuseForbidden(problems: readonly Problem[], settings: ProviderSettings): void {
  if (problems.length > 0)
    throw new RefusedError(
      problems.map((problem) => problemInWords(problem, undefined, settings)).join("\n"),
    );
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
  const { orders, proposal } = await proposed(session, inputs);
  const approval = await approveAs(session, proposal);
  if (approval.type === "refused") refuseForbidden(approval.problems, session.settings);
  const outcomes =
    approval.type !== "approved"
      ? []
      : await operate(approval.approved, session.run, {
          parallelism,
          ...(inputs["wait"] === true && { wait: limit }),
        });
  const problems = outcomes.flatMap(problemsOf);
  if (problems.length > 0) throw new OperationError("deployment", problems.join("\n"));
  return { id: randomUUID(), outs: outputsOf(news, orders) };
}

/** Keeps what the program states: a change of `wait` alone deploys nothing. */
function update(olds: Properties, news: Properties): { outs: Properties } {
  return {
    outs: {
      ...cleanInputs(deploymentInputs, news),
      ...new Secrets(news).properties,
      environments: olds["environments"] ?? [],
    },
  };
}

/** The outputs of a creation as far as they are known before it. */
function preview(news: Properties): Properties {
  return { ...cleanInputs(deploymentInputs, news), environments: unknownValue };
}

function outputsOf(news: Properties, orders: readonly DeploymentOrder[]): Properties {
  return {
    ...cleanInputs(deploymentInputs, news),
    ...engineProperties(news),
    environments: orders.map(({ environment }) => environment.id),
  };
}

function idsIn(services: unknown): string[] {
  return Array.isArray(services) ? services.filter((id) => typeof id === "string") : [];
}

/** Inputs with the services in one order, each once. */
function ordered({ services = null, ...inputs }: Properties): Properties {
  return {
    ...inputs,
    services: Array.isArray(services) ? [...new Set(idsIn(services))].toSorted() : services,
  };
}

/** Why a deployment has not ended well; none where it has, or where nobody waits for it. */
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
          `${titleOf(progress)}: the deployment ${progress.result === "canceled" ? "was cancelled" : "has failed"} (${progress.state})`,
          ...logs.map(({ message }) => `    ${message}`),
        ]);
    case "unfinished":
      return [
        `${where}: the deployment goes on, and ${ended === "timeout" ? `has not ended within ${waitTimeout / 60_000} min` : `is no longer followed${error === undefined ? "" : `: ${messageOf(error)}`}`}`,
      ];
    default:
      return status satisfies never;
  }
}

function titleOf({ service }: Pick<ServiceProgress, "service">): string {
  return describeAddress(service.address);
}

const outputs: Record<string, FieldSchema> = {
  environments: {
    type: "array",
    items: { type: "string" },
    description: "Ids of the environments of the services.",
  },
};

export const deployment: ProgramResource = {
  name: "Deployment",
  description:
    "Deploys services when it is created, and again when its services or triggers change: one request for each environment. Its deletion changes nothing on the server: what is deployed stays so.",
  inputs: deploymentInputs,
  outputs,
  check: (_olds, news, { ledger }) => check(news, ledger),
  // Other services or triggers need a new deployment, which does not wait for the end of the earlier one.
  diff: (_pass, _id, olds, news) => ({
    ...inputDifference(deploymentInputs, ordered(olds), ordered(news)),
    deleteBeforeReplace: false,
    keepsName: false,
  }),
  judgeCreation: (session, news) => judge(session, cleanInputs(deploymentInputs, news)),
  judgeChange: async (session, _id, _olds, news, { replaces }) =>
    replaces.length > 0 ? judge(session, cleanInputs(deploymentInputs, news)) : [],
  details: inputChanges,
  preview,
  previewUpdate: (olds, news) => update(olds, news).outs,
  create: (session, news, { limit }) => create(session, news, limit),
  // Nothing is read: a deployment that is over cannot be looked up, and what it deployed may have changed since.
  read: async (_session, id, olds) => ({ id, props: olds }),
  isKnown: (state) => Object.hasOwn(state, "services"),
  find: () =>
    Promise.reject(new Error("a Deployment cannot be imported, because the server keeps none; create one")),
  update: async (_session, _id, olds, news) => update(olds, news),
  // The server keeps nothing of a deployment that could be deleted.
  remove: async () => {},
};

/** Compares the inputs of a resource that exists only in programs, by their schema. */
export function inputDifference(
  schema: FieldSchema,
  olds: Properties,
  news: Properties,
): Pick<InputDifference, "changes" | "replaces" | "fields"> {
  const after = cleanInputs(schema, news);
  const fields = compare(schema, cleanInputs(schema, olds), after);
  const replaces = fields.flatMap(({ path: [member = ""], replaces: why }) =>
    why === undefined ? [] : [member],
  );
  return { changes: fields.length > 0 || hasUnknown(after), replaces, fields };
}

/** The changes of such inputs, as changes of properties. */
export function inputChanges({ fields }: Pick<InputDifference, "fields">): PropertyChange[] {
  return fields.map(({ path: [path = ""], before, after, replaces }) => ({
    path,
    how: before === undefined ? "add" : after === undefined ? "delete" : "update",
    isOfInputs: true,
    ...(replaces !== undefined && { replaces }),
  }));
}
