import { type Address, childAddress, formatReference } from "../../core/model/addresses/address.ts";
import { makerOf } from "../../core/state/events/index.ts";
import type { LiveResource, LiveStore } from "../../core/state/live/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import type { Organization } from "../../core/state/organization.ts";
import { expiryKey } from "../../core/model/parts/index.ts";
import type { Run } from "../../core/execution/session/index.ts";
import { isSameOwner } from "../owner.ts";
import { previewNumberOf } from "../policy/index.ts";
import { markIn, type PreviewMark } from "./mark.ts";

/** An environment with the name of a preview. */
export interface ExistingEnvironment {
  number: number;
  address: Address;
  live: LiveResource;
  /** What its own variable says; undefined if it has none, so that nobody has made it as a preview, at least not to its end. */
  mark: PreviewMark | "unreadable" | undefined;
  /** Who has started to make it, by the events of the server; only without a mark, which a clone gets at its end. */
  startedBy?: string | undefined;
}

/**
 * Whose an environment with the name of a preview is. `unfinished`: it is one's own, and not made to its end. `none`: it is no
 * preview. Of an `unknown` owner, nothing is deleted.
 */
export type Ownership = "own" | "unfinished" | "foreign" | "unknown" | "none";

const maker = "infrasync-preview of ";

/** The program that clones an environment for a preview. The event of the clone says so, before it can have a mark. */
export function makerFor(owner: string): `infrasync-${string}` {
  return `${maker}${owner}`;
}

/** Milliseconds after which the events of a clone count as complete. */
const eventsComplete = 3_600_000;
/** Who has started the environments without a mark, by their ids: it does not change. */
const makers = new WeakMap<LiveStore, Map<string, string | undefined>>();

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
    found.map(async ({ each, number }) => {
      const mark = await markOf(run, each);
      const mayBeUnfinished = mark === undefined && each.fields["mode"] === "PREVIEW";
      return {
        number,
        live: each,
        address: childAddress(address, each.kind, each.name),
        mark,
        startedBy: mayBeUnfinished ? await makerOfClone(run, organization.id, each) : undefined,
      };
    }),
  );
}

/** Whose a preview is, by its mode, its name and its mark. @param owner who asks */
export function ownershipOf(
  { live, address, mark, startedBy }: ExistingEnvironment,
  owner: string,
): Ownership {
  if (live.fields["mode"] !== "PREVIEW") return "none";
  if (mark === undefined)
    return startedBy === undefined ? "none" : isSameOwner(startedBy, owner) ? "unfinished" : "foreign";
  if (mark === "unreadable") return "unknown";
  const [project = "", name = ""] = address.names;
  if (nameKey(mark.of) === nameKey(formatReference([project, name])))
    return isSameOwner(mark.owner, owner) ? "own" : "foreign";
  // A copy of a preview under another name is none. In another project, it may be a copy, or its project was renamed.
  return nameKey(mark.of).endsWith(`/${nameKey(name)}`) ? "unknown" : "none";
}

/** When a preview ends, as its mark says; undefined if it does not. */
export function endIn({ mark }: Pick<ExistingEnvironment, "mark">): string | undefined {
  return typeof mark === "object" ? mark.ends : undefined;
}

/** Whether the time of a preview is over. */
export function isOver(preview: Pick<ExistingEnvironment, "mark">, now: number): boolean {
  const ends = endIn(preview);
  return ends !== undefined && Date.parse(ends) <= now;
}

/** Who has started to make an environment as a preview; undefined if no event says that. */
async function makerOfClone(
  { client, live }: Run,
  organizationId: string,
  { id, response }: LiveResource,
): Promise<string | undefined> {
  const known = makers.get(live) ?? new Map<string, string | undefined>();
  makers.set(live, known);
  if (known.has(id)) return known.get(id);
  const program = await makerOf(client, organizationId, id);
  const startedBy = program?.startsWith(maker) ? program.slice(maker.length) : undefined;
  const isOld = client.serverTime - Date.parse(String(response["created_at"])) > eventsComplete;
  if (program !== undefined || isOld) known.set(id, startedBy);
  return startedBy;
}

/** The mark of an environment, as its own variable says. */
async function markOf(
  { client, live }: Run,
  environment: LiveResource,
): Promise<ExistingEnvironment["mark"]> {
  // The same key may be that of a secret, whose value nobody can read.
  const parts = environment.kind.parts.filter(({ member }) => member === "variables" || member === "secrets");
  const entries = await live.partsOf(client, environment, parts);
  const entry = entries?.find(({ key, isOwn }) => isOwn && key === expiryKey);
  return entry && (markIn(entry.response) ?? "unreadable");
}
