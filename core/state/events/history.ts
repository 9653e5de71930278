import { type Client, ForbiddenError, NotFoundError, path, UnexpectedAnswerError } from "../../api/index.ts";
import { type Fields, textIn } from "../../values/json.ts";
import { readEvents } from "./event.ts";
import { isHarmless } from "./log.ts";
import { signatureIn, withoutSignature } from "./signature.ts";

/** Something that happened to a resource: who did what to it, when and by what. */
export interface PastEvent {
  /** Milliseconds since 1970, by the clock of the server. */
  time: number;
  who: string | undefined;
  /** By what: `CONSOLE`, `API`. */
  origin: string | undefined;
  /** The program that sent the request. */
  program: string | undefined;
  /** As the API has it: `UPDATE`. */
  event: string;
  /** The part of the resource that the event is about, such as `VARIABLE`; undefined for the resource itself. */
  part: string | undefined;
  /** As the API has it: `JOB`. */
  type: string;
  id: string | undefined;
  /** From the project down, as the names were then. */
  names: string[];
}

/** The query by which the API finds the events inside a resource, by its kind; of other kinds, it finds their own. */
const insideOf: Readonly<Record<string, string>> = {
  project: "serviceProjectId",
  environment: "serviceEnvironmentId",
};

/** The most events that a page of the API has. */
const mostOfPage = 100;

/** Reads what happened last in an organization, or to a resource and in it, newest first: a request for each hundred. @throws ApiError */
export async function readHistory(
  client: Client,
  organizationId: string,
  resource: { kind: { slug: string }; id: string } | undefined,
  most: number,
): Promise<PastEvent[]> {
  const chosen = resource && { [insideOf[resource.kind.slug] ?? "targetId"]: resource.id };
  const where = path`/organization/${organizationId}/events`;
  const entries: PastEvent[] = [];
  let token: string | undefined;
  do {
    const answer = await client.get(where, {
      ...chosen,
      pageSize: Math.min(most - entries.length, mostOfPage),
      ...(token !== undefined && { continueToken: token }),
    });
    const page = readEvents(answer);
    if (!page)
      throw new UnexpectedAnswerError("the server does not list the events of the organization completely", {
        method: "GET",
        path: where,
      });
    entries.push(...page.events.flatMap(entryOf));
    token = page.next;
  } while (token !== undefined && entries.length < most);
  return entries.slice(0, most);
}

/** The signature of the run that has made a resource; undefined if no event that the token may read says it. */
export async function makerOf(
  client: Client,
  organizationId: string,
  id: string,
): Promise<string | undefined> {
  try {
    const where = path`/organization/${organizationId}/events`;
    const page = readEvents(await client.get(where, { targetId: id, pageSize: mostOfPage }));
    const made = page?.events.find(
      (event) =>
        textIn(event, "target_id") === id &&
        textIn(event, "sub_target_type") === undefined &&
        /^(?:CREATE|CLONE)$/.test(textIn(event, "event_type") ?? ""),
    );
    return made && signatureIn(textIn(made, "user_agent"));
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Events of a service that change nothing in it. */
const unchanging = /^(?:DEPLOY|STOP|RESTART|REDEPLOY|CANCEL)/;

/** The last change of each resource, by its id; `entries` as `readHistory` returns them. */
export function lastChanges(entries: readonly PastEvent[]): Map<string, PastEvent> {
  const changes = entries.filter(({ event }) => !isHarmless(event) && !unchanging.test(event));
  return new Map(
    changes.toReversed().flatMap((entry) => (entry.id === undefined ? [] : [[entry.id, entry]])),
  );
}

function entryOf(item: Fields): PastEvent[] {
  const time = Date.parse(textIn(item, "timestamp") ?? "");
  if (Number.isNaN(time)) return [];
  const id = textIn(item, "target_id");
  const around = [textIn(item, "project_name"), textIn(item, "environment_name")];
  const isAround = id !== undefined && [item["project_id"], item["environment_id"]].includes(id);
  const names = [...around, ...(isAround ? [] : [textIn(item, "target_name")])];
  return [
    {
      time,
      who: textIn(item, "triggered_by"),
      origin: textIn(item, "origin"),
      program: withoutSignature(textIn(item, "user_agent")),
      event: textIn(item, "event_type") ?? "",
      part: textIn(item, "sub_target_type"),
      type: textIn(item, "target_type") ?? "",
      id,
      names: names.flatMap((name) => (name === undefined || name === "" ? [] : [name])),
    },
  ];
}
