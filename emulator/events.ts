import { randomUUID } from "node:crypto";
import { HttpError } from "./errors.ts";
import { lineageOf } from "./lineage.ts";
import type { Store } from "./records.ts";
import type { Entity, Table } from "./store.ts";

/** Who is acting, as events tell it. */
export interface Actor {
  name: string;
  userAgent: string | undefined;
}

/** A line of the audit log. Never holds a value: some are secret. */
export interface Event {
  id: string;
  timestamp: string;
  event_type: string;
  target_id: string;
  target_name: string;
  target_type: string;
  sub_target_type?: string;
  change: string;
  origin: "API";
  triggered_by: string;
  user_agent: string | null;
  project_id: string | null;
  project_name: string;
  environment_id: string | null;
  environment_name: string;
  organization_id: string;
}

/** What a query may ask for. */
export type EventQuery = Record<string, string | undefined>;

// More than a client can want to page through, and little enough for the data file.
const KEPT = 5_000;
const DEFAULT_PAGE_SIZE = 30;
const MAXIMUM_PAGE_SIZE = 100;

// Where the name of a table's sort is not its target type.
const targetTypes: Record<string, string> = {
  "container registry": "CONTAINER_REGISTRY",
  "helm repository": "HELM_REPOSITORY",
};

const filters: Record<string, keyof Event> = {
  eventType: "event_type",
  targetType: "target_type",
  targetId: "target_id",
  subTargetType: "sub_target_type",
  triggeredBy: "triggered_by",
  origin: "origin",
  serviceProjectId: "project_id",
  serviceEnvironmentId: "environment_id",
};

/** Who changed what and when, newest last. */
export class Events {
  #events: Event[] = [];
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds what happened to a resource; a part of a resource is told of as a change of its parent. */
  record(type: string, table: Table<Entity>, entity: Entity, actor: Actor, timestamp: string): void {
    const about = this.#describe(table, entity);
    this.#events.push({
      id: randomUUID(),
      timestamp,
      event_type: type,
      ...about,
      change: JSON.stringify({ id: entity.id, ...(entity.name !== undefined && { name: entity.name }) }),
      origin: "API",
      triggered_by: actor.name,
      user_agent: actor.userAgent ?? null,
    });
    if (this.#events.length > KEPT * 1.1) this.#events = this.#events.slice(-KEPT);
  }

  #describe(table: Table<Entity>, entity: Entity) {
    const targetId = table.part ? entity.parentId : entity.id;
    const lineage = { ...lineageOf(entity.parentId, this.#store), ...lineageOf(entity.id, this.#store) };
    const { organization, project, environment, service } = lineage;
    const owner = service ?? environment ?? project ?? organization;
    const noun = table.part ? nounOf(lineage) : (entity.kind ?? table.noun);
    return {
      target_id: targetId,
      target_name: (table.part ? owner?.name : entity.name) ?? "",
      target_type: targetTypes[noun] ?? noun.toUpperCase(),
      ...(table.part && { sub_target_type: table.part }),
      project_id: project?.id ?? null,
      project_name: project?.name ?? "",
      environment_id: environment?.id ?? null,
      environment_name: environment?.name ?? "",
      organization_id: organization?.id ?? entity.id,
    };
  }

  /** A page of an organization's events, newest first. Source: the parameters of the interface description. */
  page(organizationId: string, query: EventQuery, address: string) {
    const found = this.#events
      .filter((event) => event.organization_id === organizationId && fits(event, query))
      .toReversed();
    const size = pageSize(query["pageSize"]);
    const start = startOf(found, query, size);
    const events = found.slice(start, start + size);
    const links = {
      ...(start > 0 && { previous: link(address, query, "stepBackToken", events[0]?.id) }),
      ...(start + size < found.length && { next: link(address, query, "continueToken", events.at(-1)?.id) }),
    };
    return {
      links,
      organization_max_limit_reached: false,
      events,
    };
  }

  toJSON(): Event[] {
    return this.#events;
  }

  restore(events: Event[]): void {
    this.#events = [...events];
  }
}

function nounOf({ service, environment, project }: ReturnType<typeof lineageOf>): string {
  if (service) return service.kind;
  if (environment) return "environment";
  return project ? "project" : "organization";
}

function fits(event: Event, query: EventQuery): boolean {
  const from = timeOf("fromTimestamp", query);
  const to = timeOf("toTimestamp", query);
  const time = Date.parse(event.timestamp);
  if (from !== undefined && time < from) return false;
  if (to !== undefined && time > to) return false;
  return Object.entries(filters).every(([parameter, member]) => {
    const wanted = query[parameter];
    return wanted === undefined || event[member] === wanted;
  });
}

/** ISO 8601, or Unix time in seconds or milliseconds. */
function timeOf(parameter: string, query: EventQuery): number | undefined {
  const text = query[parameter];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isFinite(number) && text.trim() !== "") return number < 1e11 ? number * 1000 : number;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new HttpError(400, `${parameter}: must be an ISO 8601 or a Unix time`);
  return time;
}

function pageSize(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PAGE_SIZE;
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1) throw new HttpError(400, "pageSize: must be an integer from 1 on");
  return Math.min(size, MAXIMUM_PAGE_SIZE);
}

function startOf(found: Event[], query: EventQuery, size: number): number {
  const { continueToken, stepBackToken } = query;
  if (continueToken !== undefined) return indexOf(found, "continueToken", continueToken) + 1;
  if (stepBackToken === undefined) return 0;
  return Math.max(0, indexOf(found, "stepBackToken", stepBackToken) - size);
}

function indexOf(found: Event[], parameter: string, token: string): number {
  const index = found.findIndex(({ id }) => id === token);
  if (index === -1) throw new HttpError(400, `${parameter}: is not a token of this list`);
  return index;
}

function link(address: string, query: EventQuery, parameter: string, token = ""): string {
  const { continueToken: _, stepBackToken: __, ...rest } = query;
  return `${address}?${new URLSearchParams({ ...(rest as Record<string, string>), [parameter]: token }).toString()}`;
}
