import { type Address, childAddress, formatReference } from "../../core/model/addresses/address.ts";
import type { Client } from "../../core/api/index.ts";
import { type AuditEvent, eventsOf, isMaking, makingIn } from "../../core/state/events/index.ts";
import type { LiveResource, LiveStore } from "../../core/state/live/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { Organization } from "../../core/state/organization.ts";
import { expiryKey } from "../../core/model/parts/index.ts";
import type { Run } from "../../core/execution/session/index.ts";
import { isSameOwner } from "../owner.ts";
import { previewNumberOf } from "../policy/index.ts";
import { labelIn, type PreviewLabel } from "./label.ts";

/** Why a preview was not made or deleted. */
export class PreviewError extends Error {
  override readonly name = "PreviewError";
  /** Whether it is only the quota that does not suffice. */
  readonly isShortage: boolean;

  constructor(message: string, isShortage = false) {
    super(message);
    this.isShortage = isShortage;
  }
}

/** An environment with the name of a preview. */
export interface ExistingEnvironment {
  number: number;
  address: Address;
  live: LiveResource;
  /** What its own variable says; undefined if it has none, so that nobody has made it as a preview, at least not to its end. */
  label: PreviewLabel | "unreadable" | undefined;
  /** How it came to be, by the events of the server; only without a label, which a clone gets at its end. */
  origin?: Origin | undefined;
}

/**
 * How an environment without a label came to be: who says to have started it as a preview, and not finished it, and whether the
 * event proves that a holder of this token did; `another`: nobody has;
 * `removed`: somebody has taken its label away. Or why that is unknown: the events are `unreadable`, none is there (`unreported`), or
 * may be there soon (`late`).
 */
export type Origin =
  | { startedBy: string; isProved: boolean }
  | "another"
  | "removed"
  | "unreadable"
  | "unreported"
  | "late";

/**
 * Whose an environment with the name of a preview is. `unfinished`: it is one's own, and not made to its end. `none`: it is no
 * preview. Of an `unknown` owner, nothing is deleted.
 */
export type Ownership = "own" | "unfinished" | "foreign" | "unknown" | "none";

const maker = "infrasync-preview of ";

/** A client that clones an environment for a preview. The event of the clone proves it, before the clone can have a label. */
export function makerFor(client: Client, owner: string, names: readonly string[]): Client {
  return client.as(`${maker}${owner}`, nameKey(formatReference(names)));
}

/** Milliseconds after which the events of a clone count as complete. */
const eventsComplete = 3_600_000;
/** Milliseconds for which a list may lack a label that was written. */
const longestLag = 60_000;
/** How environments without a label came to be, by their ids, where that does not change. */
const origins = new WeakMap<LiveStore, Map<string, Origin>>();

/** The environment of a project with the name of one preview. @throws PreviewError if there are several */
export async function existingPreview(
  run: Run,
  organization: Organization,
  projectName: string,
  number: number,
): Promise<ExistingEnvironment | undefined> {
  const [found, ...others] = await existingPreviews(run, organization, projectName, number);
  if (!found || others.length === 0) return found;
  const ids = [found, ...others].map(({ live }) => live.id).join(", ");
  throw new PreviewError(
    `several environments have the name ${formatReference(found.address.names)}: ${ids}; delete all but one, for example in the web console`,
  );
}

/** The environments of a project with the names of previews. Reads missing lists. @param desired the number of one; default: all */
export async function existingPreviews(
  run: Run,
  organization: Organization,
  projectName: string,
  desired?: number,
): Promise<ExistingEnvironment[]> {
  const { client, live } = run;
  const projects = await live.contentsOf(client, undefined, organization.id);
  const project = projects?.resources.find(({ name }) => nameKey(name) === nameKey(projectName));
  if (!project) return [];
  const contents = await live.contentsOf(client, project.kind, project.id);
  const address: Address = { kind: project.kind, names: [project.name] };
  const found = (contents?.resources ?? []).flatMap((each) => {
    const number = previewNumberOf(each.name);
    return number === undefined || number !== (desired ?? number) ? [] : [{ each, number }];
  });
  return Promise.all(
    found.map(({ each, number }) =>
      existingEnvironment(run, organization, {
        number,
        live: each,
        address: childAddress(address, each.kind, each.name),
      }),
    ),
  );
}

/** An environment with the name of a preview, and what its label or the events say of it. Reads what is missing. */
export async function existingEnvironment(
  run: Run,
  { id }: Organization,
  place: Pick<ExistingEnvironment, "number" | "address" | "live">,
): Promise<ExistingEnvironment> {
  const label = await labelOf(run, place.live);
  const mayBeUnfinished = label === undefined && place.live.fields["mode"] === "PREVIEW";
  return { ...place, label, origin: mayBeUnfinished ? await originOf(run, id, place) : undefined };
}

/** Whose a preview is, by its mode, its name and its label. @param owner who asks */
export function ownershipOf(
  { live, address, label, origin = "another" }: ExistingEnvironment,
  owner: string,
): Ownership {
  if (live.fields["mode"] !== "PREVIEW") return "none";
  if (label === undefined) {
    if (typeof origin === "object") {
      if (!isSameOwner(origin.startedBy, owner)) return "foreign";
      return origin.isProved ? "unfinished" : "unknown";
    }
    return origin === "another" ? "none" : "unknown";
  }
  if (label === "unreadable") return "unknown";
  const [project = "", name = ""] = address.names;
  if (nameKey(label.of) === nameKey(formatReference([project, name])))
    return isSameOwner(label.owner, owner) ? "own" : "foreign";
  // A copy of a preview under another name is none. In another project, it may be a copy, or its project was renamed.
  return nameKey(label.of).endsWith(`/${nameKey(name)}`) ? "unknown" : "none";
}

/** When a preview ends, as its label says; undefined if it does not. */
export function endIn({ label }: Pick<ExistingEnvironment, "label">): string | undefined {
  return typeof label === "object" ? label.ends : undefined;
}

/** Whether the time of a preview is over. */
export function isOver(preview: Pick<ExistingEnvironment, "label">, now: number): boolean {
  const ends = endIn(preview);
  return ends !== undefined && Date.parse(ends) <= now;
}

async function originOf(
  { client, live }: Run,
  organizationId: string,
  { address, live: { id, response } }: Pick<ExistingEnvironment, "address" | "live">,
): Promise<Origin> {
  const known = origins.get(live) ?? new Map<string, Origin>();
  origins.set(live, known);
  const before = known.get(id);
  if (before !== undefined) return before;
  const isOld = client.serverTime - Date.parse(String(response["created_at"])) > eventsComplete;
  const events = await eventsOf(client, organizationId, id);
  const origin = events
    ? (originIn(events, client, address.names) ?? (isOld ? "unreported" : "late"))
    : "unreadable";
  // One that is not finished may be finished, and lose its label.
  if (typeof origin === "string" && (isOld || origin === "another")) known.set(id, origin);
  return origin;
}

/** What the events of an environment itself say; undefined: none says who has made it. */
function originIn(
  events: readonly AuditEvent[],
  client: Client,
  names: readonly string[],
): Origin | undefined {
  const making = makingIn(events);
  const program = making?.program;
  if (making === undefined || program === undefined) return undefined;
  if (!program.startsWith(maker)) return "another";
  // The label is the first write after the clone. An event need not name the variable that it is about.
  const comesLater = (event: AuditEvent) =>
    event.subTargetType === "VARIABLE"
      ? nameKey(event.subjectName ?? expiryKey) === nameKey(expiryKey)
      : event.program === program && !isMaking(event);
  const later = events.filter(comesLater);
  // A list may lack a label that was just written, unless an event says that it was deleted.
  const isSettled = later.some(
    ({ subTargetType, type, time }) =>
      time + longestLag < client.serverTime || (subTargetType === "VARIABLE" && type === "DELETE"),
  );
  const startedBy = program.slice(maker.length);
  return isSettled ? "removed" : { startedBy, isProved: makerFor(client, startedBy, names).hasMade(making) };
}

/** The label of an environment, as its own variable says. */
async function labelOf(
  { client, live }: Run,
  environment: LiveResource,
): Promise<ExistingEnvironment["label"]> {
  // The same key may be that of a secret, whose value nobody can read.
  const parts = environment.kind.parts.filter(({ member }) => member === "variables" || member === "secrets");
  const entries = await live.partsOf(client, environment, parts);
  const entry = entries?.find(({ key, isOwn }) => isOwn && key === expiryKey);
  return entry && (labelIn(entry.response) ?? "unreadable");
}
