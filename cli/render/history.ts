import { formatReference } from "../../core/model/addresses/address.ts";
import type { Client } from "../../core/api/index.ts";
import type { AuditEvent } from "../../core/state/events/index.ts";
import { inForm } from "../../core/outputs/forms/members.ts";
import { escapeControl, shorten } from "../../core/values/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { requestsOfRun } from "./requests.ts";
import { age } from "./resources.ts";
import { renderTable } from "./width.ts";

const headings = ["AGE", "WHO", "BY", "WHAT", "RESOURCE"] as const;

/** A table of what happened, newest first. */
export function renderHistory(
  entries: readonly AuditEvent[],
  { spent, budget }: Pick<Client, "spent" | "budget">,
  colors: Colors,
  now: number,
): string {
  const rows = entries.map((entry) =>
    [
      age(new Date(entry.time).toISOString(), now),
      shorten(entry.who ?? "-", 40),
      meansOf(entry),
      `${words(entry.type)}${entry.subTargetType === undefined ? "" : ` (${words(entry.subTargetType)})`}`,
      `${entry.targetType.toLowerCase().replaceAll("_", "")}:${formatReference(entry.names)}`,
    ].map(escapeControl),
  );
  const table = rows.length === 0 ? "There are no events." : renderTable(headings, rows, colors);
  return [table, "", requestsOfRun(spent, budget, now)].join("\n");
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
