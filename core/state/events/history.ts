import { type Client, ForbiddenError, NotFoundError, path, unexpectedAnswer } from "../../api/index.ts";
import { type AuditEvent, readPage } from "./event.ts";
import { isHarmless } from "./log.ts";

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
): Promise<AuditEvent[]> {
  const chosen = resource && { [insideOf[resource.kind.slug] ?? "targetId"]: resource.id };
  const where = path`/organization/${organizationId}/events`;
  const entries: AuditEvent[] = [];
  let token: string | undefined;
  do {
    const answer = await client.get(where, {
      ...chosen,
      pageSize: Math.min(most - entries.length, mostOfPage),
      ...(token !== undefined && { continueToken: token }),
    });
    const page = readPage(answer);
    if (!page) throw unexpectedAnswer(where, "it does not list the events of the organization completely");
    entries.push(...page.events);
    token = page.next;
  } while (token !== undefined && entries.length < most);
  return entries.slice(0, most);
}

/** The last events of a resource and of its parts, newest first; undefined where the token may not read them, or not all. */
export async function eventsOf(
  client: Client,
  organizationId: string,
  id: string,
): Promise<AuditEvent[] | undefined> {
  try {
    const where = path`/organization/${organizationId}/events`;
    const page = readPage(await client.get(where, { targetId: id, pageSize: mostOfPage }));
    return page?.events.filter(({ targetId }) => targetId === id);
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The event of the making of a resource, among its events. */
export function makingIn(events: readonly AuditEvent[]): AuditEvent | undefined {
  return events.find(isMaking);
}

/** Whether an event says that a resource itself was created, and no part of it. */
export function isMaking({ subTargetType, type }: AuditEvent): boolean {
  return subTargetType === undefined && /^(?:CREATE|CLONE)$/.test(type);
}

/** Events of a service that change nothing in it. */
const unchanging = /^(?:DEPLOY|STOP|RESTART|REDEPLOY|CANCEL)/;

/** The last change of each resource, by its id. @param events newest first */
export function lastChanges(events: readonly AuditEvent[]): Map<string, AuditEvent> {
  const changes = events.filter(({ type }) => !isHarmless(type) && !unchanging.test(type));
  return new Map(
    changes
      .toReversed()
      .flatMap((event) => (event.targetId === undefined ? [] : [[event.targetId, event] as const])),
  );
}
