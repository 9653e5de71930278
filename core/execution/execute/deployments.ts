import { parentAddress } from "../../model/addresses/address.ts";
import { InterruptedError } from "../../api/index.ts";
import {
  type DeploymentOrder,
  type LogLine,
  type OrderOutcome,
  type ServiceOutcome,
} from "../../deployments/index.ts";
import { carryOutOne } from "../../deployments/writes.ts";
import { type Action, deploys, type SourceReference } from "../../planning/plan/index.ts";
import { type Run, OperationError } from "../../operations/index.ts";

export interface DeploymentResult {
  id: string;
  /** The deployment was started, and the run does not wait for its end. */
  goesOn?: true;
}

/** A started deployment that has not succeeded. */
export class DeploymentError extends OperationError {
  override readonly name = "DeploymentError";
  /** The last log lines, oldest first. */
  readonly logs: readonly LogLine[] | undefined;
  readonly before: string | undefined;

  constructor(message: string, { logs, before }: Pick<ServiceOutcome, "logs" | "before"> = {}) {
    super("deployment", message);
    this.logs = logs;
    this.before = before;
  }
}

/** A running deployment of one environment. */
interface Group {
  /** Ids of the deployed services. */
  done: Set<string>;
  /** Called when a service is deployed, by its id. */
  onDone: Map<string, () => void>;
  outcome: Promise<OrderOutcome>;
}

/** The deployments of a run, one request for each environment, whichever of its actions comes first. */
export class Deployments {
  readonly #run: Run;
  readonly #wait: number | undefined;
  readonly #members: Map<string, Action[]>;
  readonly #groups = new Map<string, Group>();

  /** @param wait milliseconds for which each is followed; undefined: not at all */
  constructor(actions: readonly Action[], run: Run, wait: number | undefined) {
    this.#run = run;
    this.#wait = wait;
    const deployments = actions.filter(deploys);
    this.#members = Map.groupBy(deployments, leaderOf);
  }

  /** Starts the deployments of an environment with one request, or joins that request, and follows them if the run waits. */
  async perform(action: Action, ids: ReadonlyMap<string, string>): Promise<DeploymentResult> {
    const id = idOf(action.subject, ids);
    const group = this.#groups.get(leaderOf(action)) ?? this.#begin(leaderOf(action), ids);
    const isDone = new Promise<void>((resolve) => group.onDone.set(id, resolve));
    if (!group.done.has(id)) await Promise.race([group.outcome, isDone]);
    return group.done.has(id) ? { id } : deployed(id, await group.outcome);
  }

  #begin(leader: string, ids: ReadonlyMap<string, string>): Group {
    const group: Omit<Group, "outcome"> = { done: new Set(), onDone: new Map() };
    const outcome = this.#carryOut(this.#members.get(leader) ?? [], ids, (id) => {
      group.done.add(id);
      group.onDone.get(id)?.();
    });
    const started = { ...group, outcome };
    this.#groups.set(leader, started);
    return started;
  }

  async #carryOut(
    members: readonly Action[],
    ids: ReadonlyMap<string, string>,
    onDone: (id: string) => void,
  ): Promise<OrderOutcome> {
    return carryOutOne(this.#run, await this.#orderOf(members, ids), {
      together: this.#members.size,
      wait: this.#wait,
      onProgress(_order, services) {
        for (const { service, result } of services) if (result === "done") onDone(service.id);
      },
    });
  }

  async #orderOf(members: readonly Action[], ids: ReadonlyMap<string, string>): Promise<DeploymentOrder> {
    const [first] = members;
    if (!first) throw new TypeError("a deployment without an action");
    const { address, parent, subject } = first;
    const environment = address.kind.deployment && parentAddress(address);
    if (environment) {
      const services = members.map((member) => ({ address: member.address, id: idOf(member.subject, ids) }));
      const to = { address: environment, id: idOf(parent, ids) };
      return { action: "deploy", environment: to, isWhole: false, services };
    }
    const to = { address, id: idOf(subject, ids) };
    return { action: "deploy", environment: to, isWhole: true, services: await this.#servicesIn(to) };
  }

  async #servicesIn({ address, id }: DeploymentOrder["environment"]): Promise<DeploymentOrder["services"]> {
    if (this.#wait === undefined) return [];
    const { client, live } = this.#run;
    const contents = await live.contentsOf(client, address.kind, id);
    return (contents?.resources ?? []).map(({ kind, name, id: serviceId }) => ({
      address: { kind, names: [...address.names, name] },
      id: serviceId,
    }));
  }
}

function leaderOf({ id, carriedOutBy }: Pick<Action, "id" | "carriedOutBy">): string {
  return carriedOutBy ?? id;
}

function idOf(reference: SourceReference | undefined, ids: ReadonlyMap<string, string>): string {
  const id =
    reference && "id" in reference
      ? reference.id
      : ids.get((reference && ("madeBy" in reference ? reference.madeBy : reference.madeWith)) ?? "");
  if (id === undefined) throw new TypeError("no action of this run has made the service to deploy");
  return id;
}

function deployed(id: string, { order, status, services, ended, error }: OrderOutcome): DeploymentResult {
  const concerned = order.isWhole ? services : services.filter(({ service }) => service.id === id);
  switch (status) {
    case "refused":
      throw error;
    case "started":
    case "idle":
      return { id, goesOn: true };
    case "done":
      return { id };
    case "failed": {
      const bad = concerned.filter(({ result }) => result !== "done" && result !== "untouched");
      if (bad.length === 0) return { id };
      throw failed(bad, order.isWhole);
    }
    case "unfinished":
      throw unfinished(concerned, ended, error);
  }
}

function failed(bad: readonly ServiceOutcome[], isWhole: boolean): DeploymentError {
  const states = bad.map(({ service, state, result }) => {
    const what = state === "" ? result : state;
    return isWhole ? `${service.address.names.at(-1)} ${what}` : what;
  });
  const logs = bad.find((one) => one.logs)?.logs;
  // A whole environment has no single earlier version.
  const before = isWhole ? undefined : bad[0]?.before;
  const what = bad.every(({ result }) => result === "canceled") ? "was cancelled" : "has failed";
  return new DeploymentError(`its deployment ${what}: ${states.join(", ")}`, { logs, before });
}

function unfinished(
  concerned: readonly ServiceOutcome[],
  ended: OrderOutcome["ended"],
  error: unknown,
): OperationError {
  const states = new Set(concerned.map(({ state }) => state).filter((state) => state !== ""));
  const state = states.size === 0 ? "" : ` (${[...states].join(", ")})`;
  if (ended === "timeout")
    return new OperationError(
      "pending",
      `the deployment was still running when the time to wait for it ended${state}`,
    );
  const cause = error ?? new InterruptedError("the run was interrupted", { method: "GET", path: "" });
  const why = cause instanceof Error && !(cause instanceof InterruptedError) ? `: ${cause.message}` : "";
  return new OperationError(
    "pending",
    `infrasync no longer waits for its deployment, which continues${state}${why}`,
    { cause },
  );
}
