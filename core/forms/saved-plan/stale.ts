import { addressKey, type AnyAddress, formatAddress, nameOf } from "../../address.ts";
import { essenceOf } from "../digest.ts";
import { formatPath } from "../../fields/compare.ts";
import { stableJson } from "../../json.ts";
import type { Loss } from "../../loss.ts";
import { nameKey } from "../../names.ts";
import type { Known, LiveResource } from "../../live/index.ts";
import {
  type Action,
  adds,
  byResource,
  deletes,
  factsOf,
  isChange,
  makes,
  type Plan,
} from "../../plan/index.ts";
import type { Problem } from "../../problem.ts";
import type { SavedPlan } from "./file.ts";
import { escapeControl, shorten } from "../../text.ts";
import { resourcesIn, type SeenInPlan, seenBy } from "./seen.ts";

/**
 * The differences between the saved plan and one made now: in the actions, or in the resources and
 * parts of these actions. A problem for each resource; none: it is the same plan.
 */
export function staleProblems(saved: SavedPlan, now: Plan, known: Known): Problem[] {
  const [before, after] = byResource(saved.plan.actions, now.actions);
  const seen = Map.groupBy(saved.seen, ({ by }) => by);
  const seenNow = Map.groupBy(seenBy(now, known), ({ by }) => by);
  const live = resourcesIn(known);
  const planned = new Set(saved.plan.actions.flatMap(({ resourceId }) => resourceId ?? []));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): Problem[] => {
    const [earlier, present] = [before.get(key), after.get(key)];
    const address = (earlier ?? present)?.address;
    if (!address) return [];
    // The report uses the name that the plan saw.
    if (!earlier && present?.resourceId !== undefined && planned.has(present.resourceId)) return [];
    const title = formatAddress(address);
    const what =
      (earlier && renaming(earlier, live)) ??
      difference(earlier, present, { now, live }) ??
      newsAmong(title, seen.get(earlier?.id ?? "") ?? [], seenNow.get(present?.id ?? "") ?? []);
    if (what === undefined) return [];
    return [
      {
        code: "stale",
        message: `the plan is stale: ${title} ${what}`,
        remedies: [{ again: "plan" }],
        address: title,
      },
    ];
  });
}

/** Whether a plan changes the resource of an address, under the name that it gives or the one on the server. */
export function scopeOf({ actions }: Pick<Plan, "actions">): (address: AnyAddress) => boolean {
  const renamed = new Map(
    actions.flatMap((action) => {
      const live = liveNameOf(action);
      return live === undefined ? [] : [[namesKey(action.address.names), live]];
    }),
  );
  const chosen = actions.filter(isChange).flatMap(({ address }) => namedBoth(address, renamed));
  const all = new Set(chosen.map(addressKey));
  return (address) => all.has(addressKey(address));
}

/** A renaming by a person. */
function renaming(planned: Action, live: ReadonlyMap<string, LiveResource>): string | undefined {
  const { resourceId = "", address } = planned;
  const name = live.get(resourceId)?.name;
  const seen = liveNameOf(planned) ?? nameOf(address);
  return name === undefined || nameKey(name) === nameKey(seen)
    ? undefined
    : `has been renamed since: it is ${JSON.stringify(shorten(escapeControl(name), 100))} now`;
}

function difference(
  planned: Action | undefined,
  present: Action | undefined,
  { now, live }: { now: Plan; live: ReadonlyMap<string, LiveResource> },
): string | undefined {
  if (!planned) return present && `would be ${factsOf(present).past} now too`;
  const isNew = (action: Action | undefined) => action && adds(action);
  if (isNew(planned) && !isNew(present)) return "has appeared since";
  if (!isNew(planned) && isNew(present)) return "has disappeared since";
  if (!present) {
    const { past } = factsOf(planned);
    if (!deletes(planned) || makes(planned)) return `has changed since: it would not be ${past} any more`;
    if (!live.has(planned.resourceId ?? "")) return "has disappeared since";
    const why = now.notes.find(
      (note) => note.address && formatAddress(note.address) === formatAddress(planned.address),
    );
    return `would not be ${past} any more${why ? `: ${why.message}` : ""}`;
  }
  if (present.type !== planned.type) return `has changed since: it would be ${factsOf(present).past} now`;
  if (planned.fingerprint !== present.fingerprint) return "has changed since";
  if (stableJson(essenceOf(planned)) === stableJson(essenceOf(present))) return undefined;
  const fields = changedFields(planned, present);
  const lost = newLosses(planned, present);
  const more = [...fields, ...(lost.length > 0 ? [`it would lose ${lost.join(", ")}`] : [])];
  return `would be ${factsOf(planned).past} in another way now${more.length > 0 ? `: ${more.join("; ")}` : ""}`;
}

/** The losses that only the new action would cause: `the variable L of job a`, `another secret KEY`. */
function newLosses(planned: Action, present: Action): string[] {
  const names = new Set(planned.losses.map(nameOfLoss));
  return present.losses
    .filter((loss) => !planned.losses.some((other) => isSameLoss(loss, other)))
    .map((loss) => `${names.has(nameOfLoss(loss)) ? "another" : "the"} ${nameOfLoss(loss)}`);
}

function isSameLoss(one: Loss, other: Loss): boolean {
  const isNamedAlike = nameOfLoss(one) === nameOfLoss(other) && one.sort === other.sort;
  return isNamedAlike && one.content === other.content && one.extent === other.extent;
}

function nameOfLoss({ what, name }: Loss): string {
  return name === "" ? what : `${what} ${name}`;
}

/** The fields that two plans change in different ways. */
function changedFields(planned: Action, present: Action): string[] {
  const changes = (action: Action) =>
    new Map(
      action.changes.map((change) => [
        formatPath(change.path),
        stableJson(JSON.parse(JSON.stringify(change))),
      ]),
    );
  const [before, after] = [changes(planned), changes(present)];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

/** The resources and parts that have come, gone or changed among those that a plan changes or deletes. */
function newsAmong(
  subject: string,
  before: readonly SeenInPlan[],
  now: readonly SeenInPlan[],
): string | undefined {
  const keyOf = ({ id, title }: SeenInPlan) => (id === "" ? title : id);
  const left = new Map(before.map((each) => [keyOf(each), each]));
  const present = new Set(now.map(keyOf));
  for (const each of now) {
    const earlier = left.get(keyOf(each));
    left.delete(keyOf(each));
    if (earlier?.state === each.state) continue;
    // A difference of its fields would have been found before.
    if (earlier && each.title === subject) return "has been changed since, and changed back";
    const isAnother = before.some((other) => other.title === each.title && !present.has(keyOf(other)));
    const what = earlier ? "has changed since" : isAnother ? "is another one now" : "has appeared since";
    return `contains ${each.title}, which ${what}`;
  }
  const [gone] = left.values();
  return gone && `contained ${gone.title}, which has gone since`;
}

/** The present name of the resource that an action renames. */
function liveNameOf(action: Action): string | undefined {
  if (action.liveAddress) return action.liveAddress.names.at(-1);
  const change = action.changes.find(({ path }) => formatPath(path) === "name");
  return typeof change?.before === "string" ? change.before : undefined;
}

/** The addresses with every mix of the names that a plan gives and the present ones. */
function namedBoth({ kind, names }: AnyAddress, renamed: ReadonlyMap<string, string>): AnyAddress[] {
  const mixes = names.reduce<string[][]>(
    (paths, name, level) => {
      const live = renamed.get(namesKey(names.slice(0, level + 1)));
      const both = live === undefined ? [name] : [name, live];
      return paths.flatMap((path) => both.map((each) => [...path, each]));
    },
    [[]],
  );
  return mixes.map((mix) => ({ kind, names: mix }));
}

function namesKey(names: readonly string[]): string {
  return JSON.stringify(names.map(nameKey));
}
