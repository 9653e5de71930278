import { allNamed, type Contents, type LiveResource } from "../state/live/index.ts";
import { mayBeRenamed, nameKey } from "../model/addresses/names.ts";
import { escapeControl, shorten } from "../values/text.ts";
import type { Run, WriteResult } from "./run.ts";
import { OperationError } from "./errors.ts";
import { findByName, type ResourcePlace } from "./find.ts";
import { outsideTurn, pollDelay, until } from "./wait.ts";
import type { Tries } from "./write.ts";
import type { RemarkCode } from "../problems/codes.ts";

// In milliseconds: by how much the clock of a server may be wrong.
const clockSkew = 300_000;

/** The resource that these tries were to create, in its parent, perhaps renamed. @throws OperationError `duplicated`, `twins` */
export function findMade(
  place: ResourcePlace,
  contents: Contents | undefined,
  tries: Tries,
  isAsDesired: (resource: LiveResource) => boolean,
): LiveResource | undefined {
  const siblings = (contents?.resources ?? []).filter(
    ({ kind, id }) => kind === place.kind && id !== place.formerId,
  );
  const named = allNamed({ resources: siblings, unknown: [] }, place.kind, place.name);
  const [firstAt] = tries.sentAt;
  const rewritten =
    named.length > 0 || firstAt === undefined
      ? []
      : siblings.filter(
          (sibling) =>
            mayBeRenamed(place.name, sibling.name) && isNew(sibling, firstAt) && isAsDesired(sibling),
        );
  const made = [...named, ...rewritten];
  if (made.length > 1 && tries.sends > 1) throw duplicated(made.map(({ id }) => id));
  return rewritten[0] ?? findByName(place, contents);
}

/** Refuses a resource that the server has created under another name. @throws OperationError `renamed` */
export function refuseRenamed(place: ResourcePlace, made: LiveResource): void {
  if (nameKey(made.name) !== nameKey(place.name)) throw renamed(place, made);
}

/** Whether a resource has been created since a time, in milliseconds by the clock of the server. */
export function isNew({ response }: LiveResource, since: number): boolean {
  const created = Date.parse(String(response["created_at"]));
  return Number.isNaN(created) || created > since - clockSkew;
}

/** Waits until the resource is listed, and a second one would be. @throws OperationError `duplicated`, `twins`, `renamed` */
export async function untilListed(
  run: Run,
  place: ResourcePlace,
  tries: Tries,
  {
    limit,
    id,
    isAsDesired = () => true,
  }: {
    /** In milliseconds. */
    limit: number;
    /** The id of the resource, if the answer had it. */
    id?: string | undefined;
    /** Whether a resource under another name has the fields that were sent; any has when left out. */
    isAsDesired?: (resource: LiveResource) => boolean;
  },
): Promise<LiveResource | undefined> {
  const { clock, freshLists, signal } = run;
  const isTwice = tries.sends > 1;
  const between = (tries.sentAt.at(-1) ?? 0) - (tries.sentAt[0] ?? 0);
  let firstSeen: number | undefined;
  return until(clock, limit, signal, async (attempt) => {
    const { kind, parentId } = place;
    const contents = await outsideTurn(run, () =>
      freshLists.readList(kind, parentId, pollDelay(attempt), signal),
    );
    const there = findMade(place, contents, tries, isAsDesired);
    const isListed = contents?.resources.find((resource) => resource.kind === kind && resource.id === id);
    if (there && isListed && there.id !== id) throw duplicated([there.id, isListed.id]);
    if (!there && isListed) throw renamed(place, isListed);
    // Another resource may have taken the name, or the list is old.
    if (!there || (id !== undefined && !isListed)) return undefined;
    firstSeen ??= clock.now();
    if (isTwice && !isListed && clock.now() - firstSeen < between) return undefined;
    refuseRenamed(place, there);
    return there;
  });
}

/** The error for something that this run has created more than once. @param what its noun with the article */
export function duplicated(ids: readonly string[], what = "the resource"): OperationError {
  return new OperationError(
    "duplicated",
    `this run created ${what} ${ids.length} times, because the answer to the first request did not say whether ${what} was created: ${ids.join(", ")}`,
    { made: ids, remedies: [{ keepOne: true }] },
  );
}

/** The error for a resource that the server created under another name. */
export function renamed({ kind, name }: ResourcePlace, made: { id: string; name: string }): OperationError {
  const other = shorten(escapeControl(`"${made.name}" (${made.id})`), 200);
  return new OperationError(
    "renamed",
    `the server created the ${kind.name} under another name, ${other} instead of "${shorten(escapeControl(name), 100)}"`,
    { made: [made.id], remedies: [{ liveName: shorten(escapeControl(made.name), 100), id: made.id }] },
  );
}

/** Why a resource exists that the run was going to create. */
type ExistenceReason = Pick<WriteResult, "already" | "uncertain"> & { remarks: readonly RemarkCode[] };

const cameWithClone: ExistenceReason = { already: true, remarks: ["came_with_clone"] };

export const madeByAnother: ExistenceReason = { already: true, remarks: ["created_by_another"] };

/** After an unclear answer the resource is most probably the work of this run. */
export const takenOver: ExistenceReason = { uncertain: true, remarks: ["adopted"] };

/** The reason for a resource that the run has waited for: from the clone of its parent, or from an earlier run. */
export function reasonOf({ awaitedUntil }: ResourcePlace): ExistenceReason {
  return awaitedUntil === undefined ? { already: true, remarks: takenOver.remarks } : cameWithClone;
}

/** The result for a resource that existed when the run was going to create it. */
export function found(
  how: ExistenceReason,
  there: LiveResource,
  { already, remarks = [], ...done }: WriteResult,
): WriteResult {
  // The report also has to say that somebody else created the resource in another form.
  const isChanged = how.already && done.response !== there.response;
  const changed: readonly RemarkCode[] = isChanged ? ["fields_changed"] : [];
  return { ...done, ...how, remarks: [...how.remarks, ...changed, ...(already ? [] : remarks)] };
}
