import { type FieldLoss, lossesIn } from "../model/fields/losses.ts";
import { isOutputOf, kindsInside, type OutputSource, partsTakingOutputs } from "../model/kinds/index.ts";
import { isOnDemand, type LiveResource, type LivePartOwner } from "../state/live/index.ts";
import {
  contentOf,
  dependentsOf,
  lostParts,
  type Part,
  type PartEntry,
  partsIn,
  declaredParts,
  reportedContentOf,
} from "../model/parts/index.ts";
import { type Loss, wordsFor } from "../model/loss.ts";
import { type ApprovedLosses, entryKey, type Run } from "./run.ts";
import { outdated } from "./errors.ts";

/** A resource that has parts; without its name where a message is about it anyway. */
type Owner = LivePartOwner & Partial<Pick<LiveResource, "name">>;

/** Refuses to delete resources with parts that are newer than the plan: reads them once more. @throws OperationError `changed` */
export async function refuseUnnamedParts(run: Run, owners: readonly Owner[]): Promise<void> {
  if (!run.approved) return;
  const lost = await Promise.all(owners.map((owner) => ownParts(run, owner, lostParts(owner.kind))));
  refuseUnnamed(run, "it was not deleted", lost.flat());
}

/** Refuses to remove parts with which the server deletes others that the plan does not name. @throws OperationError `changed` */
export async function refuseUnnamedDependents(
  run: Run,
  owner: LivePartOwner,
  present: readonly PartEntry[],
  fateOf: (entry: PartEntry) => "removed" | "declared" | undefined,
): Promise<void> {
  const removed = present.filter((entry) => fateOf(entry) === "removed");
  if (!run.approved || !removed.some(({ part }) => part.form?.goesWith)) return;
  const all = [...present.map((entry) => ({ owner, entry })), ...(await partsBelow(run, owner))];
  const dependents = new Set(
    dependentsOf(
      removed,
      all.map(({ entry }) => entry),
    ),
  );
  refuseUnnamed(
    run,
    "nothing was removed",
    all.filter(({ entry }) => dependents.has(entry) && (!present.includes(entry) || !fateOf(entry))),
  );
}

/** Refuses to delete a resource whose outputs siblings use in variables that the plan does not name. @throws `changed` */
export async function refuseUnnamedUsers(
  run: Run,
  source: OutputSource,
  siblings: readonly LiveResource[],
): Promise<void> {
  const { approved } = run;
  if (!approved || source.kind.outputs === undefined) return;
  const all = await Promise.all(
    siblings
      .filter(({ id }) => id !== source.id && !approved.deleted.has(id))
      .map(async (owner) => (await partsBeside(run, approved, owner)).map((entry) => ({ owner, entry }))),
  );
  refuseUnnamed(
    run,
    "it was not deleted",
    all.flat().filter(
      ({ owner, entry }) =>
        isOutputOf(entry, source) &&
        // The plan gives it another value, after this.
        !approved.changed.has(entryKey(owner.id, entry.part.member ?? "", entry.key)),
    ),
  );
}

function partsBeside(run: Run, { beside }: ApprovedLosses, owner: Owner): Promise<readonly PartEntry[]> {
  const read = async () =>
    (await ownParts(run, owner, partsTakingOutputs(owner.kind))).map(({ entry }) => entry);
  const parts = beside.get(owner.id) ?? read();
  beside.set(owner.id, parts);
  return parts;
}

/** Refuses to delete resources that have got data or secrets in fields since the plan. @throws OperationError `changed` */
export function refuseUnnamedData({ approved }: Run, resources: readonly LiveResource[]): void {
  if (!approved) return;
  const unnamed = resources.flatMap(({ kind, id, name, fields }) =>
    lossesIn(kind.fields, fields)
      .filter((field) => !(approved.losses.get(id) ?? []).some((loss) => isSame(loss, field)))
      .map((field) => `${wordsFor({ ...field, name: field.key }, "the")} of ${kind.slug} ${name}`),
  );
  refuse("it was not deleted", unnamed);
}

/** Whether a loss that a plan names is of this; its name begins with the names of the resources between. */
function isSame({ what, name, extent }: Loss, field: FieldLoss): boolean {
  if (what !== field.what || extent !== field.extent) return false;
  return field.key === "" || name === field.key || name.endsWith(`: ${field.key}`);
}

/** A part and the resource that has it. */
interface OwnedPart {
  owner: Owner;
  entry: PartEntry;
}

async function partsBelow(run: Run, { kind, id }: Pick<Owner, "kind" | "id">): Promise<OwnedPart[]> {
  const contents = kindsInside(kind).some((inner) => !isOnDemand(inner))
    ? await run.freshLists.read(kind, id)
    : undefined;
  const below = (contents?.resources ?? []).map(async (inner) => [
    ...(await ownParts(
      run,
      inner,
      declaredParts(inner.kind).filter(({ form }) => form.goesWith),
    )),
    ...(await partsBelow(run, inner)),
  ]);
  return (await Promise.all(below)).flat();
}

async function ownParts(
  { client, live, approved }: Run,
  owner: Owner,
  parts: readonly Part[],
): Promise<OwnedPart[]> {
  const lists =
    parts.length === 0
      ? undefined
      : await live.parts.read(client, owner, parts, (await approved?.fresh?.age(owner.id)) ?? 0);
  const entries = (lists && partsIn(lists, owner, parts)) ?? [];
  return entries.filter(({ isOwn }) => isOwn).map((entry) => ({ owner, entry }));
}

/** The server tells its time in whole seconds, so that what came before a plan may seem to have come after it. */
const tolerance = 1_000;

function isNamed({ contents, at }: ApprovedLosses, { owner, entry }: OwnedPart): boolean {
  const { content } = contentOf(entry, owner.id);
  return (
    content === undefined ||
    contents.has(content) ||
    contents.has(reportedContentOf(entry, owner.id, at + tolerance) ?? "")
  );
}

function refuseUnnamed({ approved }: Run, so: string, lost: readonly OwnedPart[]): void {
  const unnamed = lost.filter((each) => !approved || !isNamed(approved, each));
  const names = unnamed.map(
    ({ owner: { kind, name }, entry: { part, key } }) =>
      `the ${part.name} ${key}${name === undefined ? "" : ` of ${kind.slug} ${name}`}`,
  );
  refuse(so, names);
}

function refuse(so: string, unnamed: readonly string[]): void {
  if (unnamed.length === 0) return;
  throw outdated(
    "changed",
    `${unnamed.join(", ")} would be lost, and appeared or changed since the plan was made, so ${so}`,
  );
}
