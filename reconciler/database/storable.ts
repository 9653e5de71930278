import { isFields, type Json, own } from "../../core/json.ts";

/** Which members of an answer are kept: those with a plain value, and those with members of their own, also in lists. */
type Shape = "plain" | { readonly [member: string]: Shape };

function plain(...members: readonly string[]): Record<string, Shape> {
  return Object.fromEntries(members.map((member) => [member, "plain"]));
}

/**
 * The members of an organization's lists that are kept. Nothing here can have the value of a variable or a credential: the
 * `change` and the `original_change` of an event can, and so can whatever else a server may send.
 */
const entries: Readonly<Record<string, Shape>> = {
  events: plain(
    "id",
    "timestamp",
    "event_type",
    "target_type",
    "sub_target_type",
    "target_id",
    "target_name",
    "project_id",
    "environment_id",
    "user_agent",
    "triggered_by",
    "origin",
  ),
  project: plain("id", "name", "description"),
  environments: { ...plain("id", "name"), project: plain("id") },
  services: plain("id", "name", "environment_id"),
};

/** The part of the answer to a request that may be in a database; undefined: nothing. */
export function storableOf(request: string): Shape | undefined {
  const [, all, list = ""] =
    /^(all of )?\/organization\/[^/ ]+\/(events|project|environments|services) \{/.exec(request) ?? [];
  const entry = entries[list];
  if (entry === undefined || all !== undefined) return entry;
  if (list !== "events") return { results: entry, pagination: {} };
  return { events: entry, links: plain("next"), ...plain("organization_max_limit_reached") };
}

/** The part of an answer that has a shape. */
export function pick(answer: unknown, shape: Shape): Json | undefined {
  if (answer === null) return null;
  if (shape === "plain") return typeof answer === "object" ? undefined : (answer as Json);
  if (Array.isArray(answer)) return answer.map((each) => pick(each, shape) ?? null);
  if (!isFields(answer)) return undefined;
  const members = Object.entries(shape).map(([name, its]) => [name, pick(own(answer, name), its)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as Json;
}
