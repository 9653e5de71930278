import { formatReference } from "../../core/model/addresses/address.ts";
import type { AuditEvent } from "../../core/state/events/index.ts";
import { inForm } from "../../core/outputs/forms/members.ts";
import { escapeControl, shorten } from "../../core/values/text.ts";
import { age, type PrintedList } from "./resources.ts";

/** What happened, newest first. */
export function listingOfEvents(entries: readonly AuditEvent[], now: number): PrintedList {
  return {
    headings: ["AGE", "WHO", "BY", "WHAT", "RESOURCE"],
    rows: entries.map((entry) => [
      age(new Date(entry.time).toISOString(), now),
      shorten(entry.who ?? "-", 40),
      meansOf(entry),
      `${words(entry.type)}${entry.subTargetType === undefined ? "" : ` (${words(entry.subTargetType)})`}`,
      `${entry.targetType.toLowerCase().replaceAll("_", "")}:${formatReference(entry.names)}`,
    ]),
    nothing: "There are no events.",
  };
}

/** The program that made a change: `infrasync` rather than `API`, if infrasync made it. */
function meansOf({ origin, program }: AuditEvent): string {
  const [name = ""] = program?.split(/[/ ]/) ?? [];
  return name.startsWith("infrasync") ? name : (origin ?? "-").toLowerCase();
}

function words(text: string): string {
  return text.toLowerCase().replaceAll("_", " ");
}

/** `changed by ada, console, 2 h ago` */
export function renderChanger(entry: AuditEvent, now: number): string {
  const by = [entry.who ?? "somebody", meansOf(entry)].map(escapeControl).join(", ");
  return `changed by ${by}, ${age(new Date(entry.time).toISOString(), now)} ago`;
}

export function historyJson(event: AuditEvent): object {
  const { time, who, origin, program, type, subTargetType, targetType, targetId, names } = event;
  const members = {
    who,
    origin,
    program,
    event: type,
    part: subTargetType,
    type: targetType,
    id: targetId,
    names,
  };
  return { at: new Date(time).toISOString(), ...inForm(members) };
}
