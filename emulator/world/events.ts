import { randomUUID } from "node:crypto";
import { lineageOf } from "./lineage.ts";
import type { Store } from "./records.ts";
import type { Entity, Table } from "./store.ts";

export interface Actor {
  name: string;
  userAgent: string | undefined;
}

/** An entry of the audit log. It never contains values, because some are secret. */
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

// Names and user agents can be as long as requests.
const LONGEST_TEXT = 256;

// More than a client can want to page through, and little enough for the data file.
const KEPT = 5_000;

/** The audit log, newest event last. */
export class Events {
  #events: Event[] = [];
  /** True during a request whose events a fault suppresses. */
  muted = false;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds an event of a resource; a change of a part is an event of its parent. */
  record(type: string, table: Table<Entity>, entity: Entity, actor: Actor, timestamp: string): void {
    if (this.muted) return;
    const about = this.#describe(table, entity);
    this.#events.push({
      id: randomUUID(),
      timestamp: this.#unique(timestamp),
      event_type: type,
      ...about,
      change: JSON.stringify({ id: entity.id, ...(entity.name !== undefined && { name: cut(entity.name) }) }),
      origin: "API",
      triggered_by: cut(actor.name),
      user_agent: actor.userAgent === undefined ? null : cut(actor.userAgent),
    });
    if (this.#events.length > KEPT * 1.1) this.#events = this.#events.slice(-KEPT);
  }

  /** The time with nanoseconds. The nanoseconds count the events, so that no two events have the same time. */
  #unique(timestamp: string): string {
    const last = /\.\d{3}(\d{6})Z$/.exec(this.#events.at(-1)?.timestamp ?? "")?.[1] ?? "0";
    const count = (Number(last) + 1) % 1_000_000;
    return `${timestamp.slice(0, -1)}${String(count).padStart(6, "0")}Z`;
  }

  #describe(table: Table<Entity>, entity: Entity) {
    const targetId = table.part ? entity.parentId : entity.id;
    const lineage = { ...lineageOf(entity.parentId, this.#store), ...lineageOf(entity.id, this.#store) };
    const { organization, project, environment, service } = lineage;
    const owner = service ?? environment ?? project ?? organization;
    const noun = table.part ? nounOf(lineage) : (entity.kind ?? table.noun);
    return {
      target_id: targetId,
      target_name: cut((table.part ? owner?.name : entity.name) ?? ""),
      target_type: noun.toUpperCase().replaceAll(" ", "_"),
      ...(table.part && { sub_target_type: table.part }),
      project_id: project?.id ?? null,
      project_name: cut(project?.name ?? ""),
      environment_id: environment?.id ?? null,
      environment_name: cut(environment?.name ?? ""),
      organization_id: organization?.id ?? entity.id,
    };
  }

  /** The events of an organization, newest first. */
  of(organizationId: string): Event[] {
    return this.#events.filter((event) => event.organization_id === organizationId).toReversed();
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

/** The start of a long text, cut between characters. */
function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}…`;
}
