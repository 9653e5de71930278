import { type Fields, isFields, own, parsedJson, textIn } from "../../values/json.ts";
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
  const events = Array.isArray(listed)
    ? listed.map((item) => (isFields(item) ? readEvent(item) : undefined))
    : [undefined];
  if (!events.every((event) => event !== undefined)) return undefined;
  const links = answer["links"];
  const link = isFields(links) ? textIn(links, "next") : undefined;
  if (link === undefined) return { events, next: undefined };
  const next = URL.parse(link, "http://server")?.searchParams.get("continueToken");
  return next ? { events, next } : undefined;
}

function readEvent(item: Fields): AuditEvent | undefined {
  const id = textIn(item, "id");
  const time = Date.parse(textIn(item, "timestamp") ?? "");
  if (id === undefined || Number.isNaN(time)) return undefined;
  const subTargetType = textIn(item, "sub_target_type");
  const subject =
    subTargetType === undefined
      ? { id: textIn(item, "target_id"), name: textIn(item, "target_name") }
      : subjectIn(textIn(item, "change"));
  return {
    id,
    time,
    type: textIn(item, "event_type") ?? "",
    targetType: textIn(item, "target_type") ?? "",
    subTargetType,
    targetId: textIn(item, "target_id"),
    targetName: nameKey(textIn(item, "target_name") ?? ""),
    subjectId: subject.id,
    subjectName: subject.name === undefined ? undefined : nameKey(subject.name),
    projectId: textIn(item, "project_id"),
    environmentId: own(item, "environment_id") === null ? undefined : textIn(item, "environment_id"),
    program: withoutSignature(textIn(item, "user_agent")),
    signature: signatureIn(textIn(item, "user_agent")),
    proof: proofIn(textIn(item, "user_agent")),
    who: textIn(item, "triggered_by"),
    origin: textIn(item, "origin"),
    names: namesIn(item),
  };
}

/** The id and the name in the description of a change; none where the server describes it otherwise. */
function subjectIn(change: string | undefined): { id?: string | undefined; name?: string | undefined } {
  const subject = parsedJson(change ?? "");
  return isFields(subject) ? { id: textIn(subject, "id"), name: textIn(subject, "name") } : {};
}

function namesIn(item: Fields): string[] {
  const id = textIn(item, "target_id");
  const isAround = id !== undefined && [item["project_id"], item["environment_id"]].includes(id);
  const members = ["project_name", "environment_name", ...(isAround ? [] : ["target_name"])];
  return members.map((member) => textIn(item, member) ?? "").filter((name) => name !== "");
}
