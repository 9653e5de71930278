import type { Behaviour } from "../world/behaviour.ts";
import type { Method } from "./routing.ts";

interface Answer {
  status: number;
  body: unknown;
}

/** The answer to an executed request, which may imitate other servers. */
export function answered(
  { method }: { method: Method },
  { status, body }: Answer,
  behaviour: Behaviour,
): Answer {
  const { short_answers, empty_answers, write_status, leaves_out_empty, no_updated_at } = behaviour;
  if (method !== "GET") {
    const isMade = method === "POST" && status === 201;
    if (empty_answers && (isMade || method === "PUT")) return { status: 204, body: undefined };
    const answer = { status: write_status ?? status, body: isMade && short_answers ? idOf(body) : body };
    return { ...answer, body: trimmed(answer.body, leaves_out_empty, no_updated_at) };
  }
  return { status, body: trimmed(body, leaves_out_empty, no_updated_at) };
}

function idOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "id" in body ? { id: body.id } : body;
}

function trimmed(body: unknown, leavesOutEmpty = false, hasNoUpdate = false): unknown {
  if (!(leavesOutEmpty || hasNoUpdate) || typeof body !== "object" || body === null) return body;
  const isLeftOut = (name: string, value: unknown) =>
    (hasNoUpdate && name === "updated_at") ||
    (leavesOutEmpty &&
      (value === null || value === "" || (Array.isArray(value) && value.length === 0 && !wholes.has(name))));
  const replace = function (this: unknown, name: string, value: unknown) {
    return !Array.isArray(this) && name !== "" && isLeftOut(name, value) ? undefined : value;
  };
  return JSON.parse(JSON.stringify(body, replace));
}

/** The lists in answers. */
const wholes = new Set(["results", "events"]);
