import { isFields, type Json, parsedJson, textIn, textsIn } from "../../values/json.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { proofIn, signatureIn, withoutSignature } from "./signature.ts";

/** An entry of the audit log. Its `change` and `original_change` may hold values, and are not cached. */
export interface AuditEvent {
  id: string;
  /** Milliseconds since 1970, by the clock of the server. */
  time: number;
  type: string;
  targetType: string;
  /** The part of the target that has changed, such as `VARIABLE`; undefined for the target itself, or if the event does not say. */
  subTargetType: string | undefined;
  targetId: string | undefined;
  /** In lower case, as names are compared. */
  targetName: string | undefined;
  /** The id and the name of what the event is about, be it the target or a part of it; undefined if the event does not say. */
  subjectId: string | undefined;
  subjectName: string | undefined;
  projectId: string | undefined;
  environmentId: string | undefined;
  /** The program that sent the request, without the signature of its run; undefined if the event does not say. */
  program: string | undefined;
  /** The signature of the run of infrasync that sent the request; undefined if the event names none. */
  signature: string | undefined;
  /** The proof that the holder of a token has sent the request; undefined if the event has none. */
  proof: string | undefined;
  /** The person or the token; undefined if the event does not say. */
  who: string | undefined;
  /** By what: `CONSOLE`, `API`. */
  origin: string | undefined;
  /** The target, from the project down, as the names were then. */
  names: string[];
}

/** The events of an answer, and the token of the next page; undefined if they are not complete, or make no sense. */
export function readPage(answer: unknown): { events: AuditEvent[]; next: string | undefined } | undefined {
  if (!isFields(answer) || answer["organization_max_limit_reached"] === true) return undefined;
  const listed = answer["events"];
  const events = Array.isArray(listed) ? listed.map(readEvent) : [undefined];
  if (!events.every((event) => event !== undefined)) return undefined;
  const links = answer["links"];
  const link = isFields(links) ? textIn(links, "next") : undefined;
  if (link === undefined) return { events, next: undefined };
  const next = URL.parse(link, "http://server")?.searchParams.get("continueToken");
  return next ? { events, next } : undefined;
}

const members = ["id", "timestamp", "event_type", "target_type"] as const;
const places = ["project_id", "project_name", "environment_id", "environment_name"] as const;
const others = [
  "sub_target_type",
  "target_id",
  "target_name",
  "user_agent",
  "triggered_by",
  "origin",
] as const;

function readEvent(item: Json): AuditEvent | undefined {
  const event = textsIn(item, members, [...places, ...others, "change"]);
  const time = Date.parse(event?.timestamp ?? "");
  if (!event || Number.isNaN(time)) return undefined;
  const { target_id: targetId, target_name: name, user_agent: program } = event;
  const { project_id: projectId, environment_id: environmentId } = event;
  const subject = event.sub_target_type === undefined ? { id: targetId, name } : subjectIn(event.change);
  const isAround = targetId !== undefined && [projectId, environmentId].includes(targetId);
  const names = [event.project_name, event.environment_name, isAround ? undefined : name];
  return {
    id: event.id,
    time,
    type: event.event_type,
    targetType: event.target_type,
    subTargetType: event.sub_target_type,
    targetId,
    targetName: lowerCased(name),
    subjectId: subject.id,
    subjectName: lowerCased(subject.name),
    projectId,
    environmentId,
    program: withoutSignature(program),
    signature: signatureIn(program),
    proof: proofIn(program),
    who: event.triggered_by,
    origin: event.origin,
    names: names.flatMap((each) => (each ? [each] : [])),
  };
}

function lowerCased(name: string | undefined): string | undefined {
  return name === undefined ? undefined : nameKey(name);
}

/** The id and the name in the description of a change; none where the server describes it otherwise. */
function subjectIn(change = ""): { id?: string; name?: string } {
  return textsIn(parsedJson(change), [], ["id", "name"]) ?? {};
}
