import {
  type Address,
  addressKey,
  describeAddress,
  nameOf,
  parentsOf,
} from "../../model/addresses/address.ts";
import { formatPath } from "../../model/fields/compare.ts";
import { holdsResources, kindOf, unknownMembers } from "../../model/kinds/index.ts";
import { isOnDemand, listKey, type LiveResource } from "../../state/live/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { Action } from "../plan/action.ts";
import { adds, createsAnew } from "../plan/action-types.ts";
import type { Comparison } from "../plan/overlay.ts";
import { type Answer, open } from "../plan/answer.ts";
import { contentsOf, type ResourceIdentity } from "../plan/inventory.ts";
import { isLiveDeletion } from "../plan/lost-resources.ts";
import { listedParts, undeclaredConfiguration } from "../plan/parts.ts";
import type { Concern, Planning } from "../plan/planning.ts";
import { type UnmanagedDetail, unmanagedCounts, unmanagedOf, unreadOf } from "../plan/unmanaged-state.ts";
import { unlistedIn } from "../plan/live-state.ts";
import { unmanagedInside } from "../plan/unmanaged-resources.ts";
import { listingKey, type PartEntry, siblingKindOf, declaredParts } from "../../model/parts/index.ts";
import { placeOf } from "./names.ts";
import { credentialsAround } from "../plan/passwords.ts";
import { mayHavePasswords, shownValue } from "../../rules/credentials.ts";
import { schemaAt } from "../../model/schema/field-schema.ts";
import { distinctBy } from "../../values/json.ts";
import { firstNamed, shorten } from "../../values/text.ts";

/** The most items that a note names: unmanaged settings, and unmanaged resources. */
const mostResources = 10;

/** Records the differences, the unmanaged settings and the unread parts of a resource. Strict: reads all parts. */
function findDifferences(planning: Planning, comparison: Comparison): void {
  const { given, desired, base, changes } = comparison;
  if (!base?.live) return;
  const { findings, policy, live, inventory } = planning;
  if (!desired.cloneFrom) readInside(planning, given, base.live);
  if (policy.strict && !desired.cloneFrom && readAll(planning, comparison, base.live) === open) return;
  const known = inventory.byId.get(base.live.id)?.documents ?? [];
  const describing = known.includes(given) ? known : [given];
  noteUnknown(planning, comparison, base.live);
  const found = unmanagedOf(live, base.live, describing);
  findings.unmanaged.push(...found);
  if (describing[0] === given)
    for (const unread of unreadOf(live, base.live, describing)) findings.leaveUnread(unread);
  const undeclared = policy.strict
    ? found.map(({ path, value }) => ({ path, ...(value !== undefined && { before: value }) }))
    : [];
  if (changes.length + undeclared.length === 0) return;
  const { kind } = given.address;
  const isShown = undeclared.some(({ path, before }) =>
    mayHavePasswords(schemaAt(kind.fields, path) ?? {}, before),
  );
  const credentials = credentialsAround(planning, given.address, base.live.id, isShown);
  findings.differences.push({ desired: given, name: base.name, changes, undeclared, credentials });
}

/** Notes unknown members that an update sends back. */
function noteUnknown(
  { findings }: Planning,
  { given, changes, expected }: Comparison,
  { kind, response }: LiveResource,
): void {
  if (changes.every(({ path: [member = ""] }) => kind.fields.properties?.[member]?.part)) return;
  const extra = unknownMembers(kind, response, expected).filter(({ place }) => place);
  if (extra.length > 0)
    findings.note({
      code: "undeclared_field",
      message: `the server has ${extra.map(({ path }) => formatPath(path)).join(", ")}, which this version of infrasync does not know: the update sends it back as it was read`,
      address: given.address,
    });
}

/** Reads the needed lists of a managed resource (strict: all, to find all unmanaged ones). Records the others. */
function readInside(
  { findings, policy, live }: Planning,
  { address }: DesiredResource,
  resource: LiveResource,
): void {
  for (const kind of unlistedIn(live, resource)) {
    const sort = isOnDemand(kind) ? "settings" : "contents";
    const isExpected = policy.strict || (policy.readsInside && sort === "contents");
    if (isExpected && kind.parent) findings.needList(kind, resource.id, resource);
    else if (isExpected) findings.needList(kind, live.organization.id, undefined);
    else findings.leaveUnread({ address, sort });
  }
}

function readAll(
  planning: Planning,
  comparison: Comparison,
  resource: LiveResource,
): Answer<readonly PartEntry[]> {
  const all = declaredParts(resource.kind);
  for (const name of all.flatMap((part) => siblingKindOf(part) ?? [])) {
    const place = { kind: kindOf(name), parentId: resource.parentId };
    if (isOnDemand(place.kind) && !planning.live.lists.has(listKey(place)))
      planning.findings.needList(place.kind, place.parentId, undefined);
  }
  const parts = all.filter((part) => siblingKindOf(part) === undefined);
  for (const { form } of parts)
    if (form.defaults && !planning.live.defaults.has(listingKey(form.defaults)))
      planning.findings.needDefaults(form.defaults);
  undeclaredConfiguration(planning, comparison);
  return listedParts(planning, resource, parts);
}

/** Mentions unmanaged settings, with a strict policy each: "no changes" does not mean that live state is as reviewed. */
function noteUnmanaged(planning: Planning): void {
  const { findings, policy } = planning;
  // Unmanaged resources have a note of their own.
  const undeclared = findings.unmanaged.filter(({ sort }) => sort !== "resource");
  if (policy.strict)
    for (const each of undeclared)
      findings.note({ code: "undeclared_field", message: sentenceOf(planning, each), address: each.address });
  else if (undeclared.length > 0) {
    const resources = [...new Set(undeclared.map(({ address }) => address))];
    findings.note({
      code: "undeclared_field",
      message: `Set on the server but missing in the manifests: ${unmanagedCounts(undeclared)} (${firstNamed(resources.map(describeAddress))})`,
      resources,
      remedies: [{ setting: "strict" }],
    });
  }
}

function sentenceOf(
  planning: Planning,
  { sort, address, path, value, default: fallback }: UnmanagedDetail,
): string {
  if (sort !== "field" && path.length > 1)
    return `${sort} ${path.at(-1)} is set, and no document declares it`;
  const credentials = credentialsAround(planning, address, undefined, false);
  const shown = shownValue(address.kind, path, value, credentials);
  const is = shown === undefined ? "set" : shorten(JSON.stringify(shown), 200);
  const known = fallback === undefined ? "" : `; its default is ${JSON.stringify(fallback)}`;
  return `${formatPath(path)} is ${is}, which no document declares${known}`;
}

/** Mentions the unmanaged resources beside managed ones, unless the plan mentions them elsewhere. */
function noteResources(planning: Planning, changes: readonly Action[]): void {
  const { inventory, findings } = planning;
  const replaced = new Set(changes.filter(isLiveDeletion).map(({ resourceId }) => resourceId));
  const found = [...inventory.byId.values()].flatMap((parent) => {
    const [desired] = parent.documents;
    if (!desired || isInside(parent, replaced) || contentsOf(inventory, parent).length === 0) return [];
    const { manage, cloneFrom } = desired;
    if (manage.prune === true || cloneFrom) return [];
    const pruned = new Set(manage.prune || []);
    return unmanagedInside(planning, desired, parent, planning.policy.strict).filter(
      ({ target }) => !pruned.has(target.kind.name),
    );
  });
  const renamed = perhapsRenamed(planning, changes);
  const around = new Set(planning.resources.flatMap(({ address }) => parentsOf(address).map(addressKey)));
  const half = renamed.filter((target) => around.has(addressKey(target)));
  const inside = distinctBy(addressKey, [...found.map(({ target }) => target), ...half]);
  findings.unmanaged.push(...inside.map((address) => ({ sort: "resource", address, path: [] })));
  const targets = distinctBy(addressKey, [...inside, ...renamed]);
  if (targets.length === 0) return;
  const most = planning.policy.strict ? Infinity : mostResources;
  const byPlace = Map.groupBy(targets, placeOf);
  const named = targets.slice(0, most).map((target) => {
    const [made, another] = madeBeside(target, changes);
    const isOnly = !another && byPlace.get(placeOf(target))?.length === 1;
    return made && isOnly
      ? `${describeAddress(target)} (if ${nameOf(made.address)} is its new name, set manage.renamed_from: ${nameOf(target)})`
      : describeAddress(target);
  });
  const more = targets.length > most ? ` and ${targets.length - most} more` : "";
  const isOpen = [...byPlace.values()].some(([target, ...others]) => {
    const made = target ? madeBeside(target, changes).length : 0;
    return made > 0 && made + others.length > 1;
  });
  const question = isOpen
    ? "; if a new resource is one of these under a new name, set manage.renamed_from in its document"
    : "";
  findings.note({
    code: "unmanaged_resources",
    message: `Unmanaged: ${named.join(", ")}${more}${question}`,
    resources: targets,
  });
}

/** Unmanaged live projects beside which a new one is declared, which may be one of them with a new name. */
function perhapsRenamed({ inventory, policy }: Planning, changes: readonly Action[]): Address[] {
  return inventory.roots.flatMap(({ kind, name, documents }): Address[] => {
    if (!kind || documents.length > 0 || !holdsResources(kind)) return [];
    const target = { kind, names: [name] };
    const isElsewhere = policy.elsewhere?.some((pattern) => pattern.matches(target)) === true;
    return !isElsewhere && madeBeside(target, changes).length > 0 ? [target] : [];
  });
}

function isInside(identity: ResourceIdentity | undefined, ids: ReadonlySet<string>): boolean {
  return identity !== undefined && (ids.has(identity.id) || isInside(identity.parent, ids));
}

function madeBeside(target: Address, changes: readonly Action[]): Action[] {
  const place = placeOf(target);
  return changes.filter((action) => createsAnew(action) && adds(action) && placeOf(action.address) === place);
}

const isNew = "a new resource has only the fields of its document";

/** Unmanaged fields, parts and resources, and the lists that a plan has not read. */
export const unmanaged: Concern = {
  name: "unmanaged",
  programs:
    "the state of a program has every field as an output, and other programs and people have resources beside its own",
  note: { on: { nothing: isNew, source: isNew, existing: true }, run: findDifferences },
  remark(planning, changes) {
    noteUnmanaged(planning);
    noteResources(planning, changes);
  },
};
