import { formatAddress } from "../../model/addresses/address.ts";
import { type Fields, isFields, own } from "../../values/json.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import {
  entriesIn,
  dependentsOf,
  type PartEntry,
  partsWith,
  type DeclaredPart,
  declaredParts,
} from "../../model/parts/index.ts";
import { type Answer, open } from "../plan/answer.ts";
import type { AddedState, Overlay } from "../plan/overlay.ts";
import { listedParts, withoutDefaults } from "../plan/parts.ts";
import type { Concern, Planning } from "../plan/planning.ts";
import { isOwnEntry } from "../plan/policy.ts";
import { earlierForm, rulesBeforeFor } from "../plan/rules-before.ts";
import { protectedNote, protectionOf } from "./protected-by.ts";

/** The declared parts, and null for each other live part that the run may remove; a note lists those that stay. */
function withRemovals(
  planning: Planning,
  { on, base, desired, declared, fields: current }: Overlay,
): Answer<AddedState> {
  const { policy, findings, inventory } = planning;
  const { address, manage } = desired;
  const { exclusive = [], ignore = [] } = manage;
  const result: Fields = { ...declared };
  for (const part of declaredParts(address.kind)) {
    const { member, name } = part;
    if (!exclusive.includes(member)) continue;
    const entries = entriesIn(declared, member);
    const undeclared = Object.entries(entriesIn(current, member)).filter(
      ([key]) => !Object.hasOwn(entries, key),
    );
    const found = withoutDefaults(planning, part, undeclared);
    if (found === open) return open;
    const others = found
      .map(([key]) => key)
      .filter((key) => !ignore.includes(`${member}.${key}`) && !ignore.includes(member));
    if (others.length === 0) continue;
    const what = counted(others, name, "its document does not declare");
    const identity = on === "existing" && base?.id !== undefined ? inventory.byId.get(base.id) : undefined;
    const protection = identity && protectionOf(inventory, policy, identity);
    if (!policy.prune || manage.prune === false)
      findings.note({
        code: "undeclared_parts",
        message: `has ${what}`,
        address,
        remedies: [{ consent: "prune" }],
      });
    else if (protection) findings.note(protectedNote(protection, `keeps ${what}`, address));
    else if (identity && keepsBefore(planning, desired, part, others)) continue;
    else {
      const theirs = others.filter((key) => !identity || isOwnEntry(policy, identity.id, member, key));
      result[member] = { ...entries, ...Object.fromEntries(theirs.map((key) => [key, null])) };
      const foreign = others.filter((key) => !theirs.includes(key));
      if (foreign.length > 0)
        findings.note({
          code: "undeclared_parts",
          message: `keeps ${counted(foreign, name, "its documents have never declared")}: set one to null to remove it`,
          address,
        });
    }
  }
  return { declared: result };
}

/** `2 variables that its document does not declare (A, B)`. */
function counted(keys: readonly string[], name: string, which: string): string {
  return `${keys.length} ${name}${keys.length === 1 ? "" : "s"} that ${which} (${keys.join(", ")})`;
}

/** Whether `manage.exclusive` is new in this change, so that it removes no parts yet. */
function keepsBefore(
  { policy, findings }: Planning,
  desired: DesiredResource,
  { member, name }: DeclaredPart,
  others: readonly string[],
): boolean {
  for (const { rules } of rulesBeforeFor(policy, [desired.address], true)) {
    const earlier = earlierForm(rules.resources, desired);
    if (!earlier || earlier.manage.exclusive?.includes(member)) continue;
    const address = formatAddress(desired.address);
    const reason = `manage.exclusive of ${address} does not list ${member} in ${rules.name}`;
    const all = `${others.length} ${name}${others.length === 1 ? "" : "s"} (${others.join(", ")})`;
    findings.note({
      code: "protected",
      message: `keeps ${all} in this run, because ${reason}`,
      address: desired.address,
    });
    const declared = entriesIn(earlier.declared, member);
    if (others.some((key) => Object.hasOwn(declared, key)))
      findings.problems.push({
        code: "protected",
        message: `${address} would lose ${all}, and ${reason}`,
        advice:
          "undo the change, or set manage.exclusive in a change of its own, and remove the parts in a later one",
        address,
        blocks: "apply",
      });
    return true;
  }
  return false;
}

/** The declared fields, with null for each part that the server deletes together with a removed part. */
function withDependents(
  planning: Planning,
  { on, base, desired: { address }, declared, fields }: Overlay,
): Answer<AddedState> {
  // The parts of a planned copy are known only from its fields.
  const live = on === "existing" ? base?.live : undefined;
  const removing = declaredParts(address.kind)
    .filter(({ form }) => !form.isPermanent)
    .map(({ member }) => member)
    .filter((member) => Object.values(entriesIn(declared, member)).includes(null));
  const parts = partsWith(address.kind, removing);
  if (parts.length === 0) return {};
  const result: Fields = { ...declared };
  const listed = live && listedParts(planning, live, parts);
  if (listed === open) return open;
  const dependents = listed
    ? dependentsListed(listed, declared)
    : dependentsExpected(parts, fields, declared);
  for (const { member, key } of dependents) {
    if (Object.hasOwn(entriesIn(declared, member), key)) continue;
    result[member] = { ...entriesIn(result, member), [key]: null };
  }
  return { declared: result };
}

function dependentsListed(listed: readonly PartEntry[], declared: Fields): { member: string; key: string }[] {
  const entries = listed.filter(({ isOwn }) => isOwn);
  const removed = entries.filter(({ part, key }) => own(entriesIn(declared, part.member), key) === null);
  return dependentsOf(removed, entries).map(({ part, key }) => ({ member: part.member, key }));
}

/** As above for a planned copy, whose fields show which parts refer to each other. */
function dependentsExpected(
  parts: readonly DeclaredPart[],
  fields: Fields,
  declared: Fields,
): { member: string; key: string }[] {
  const gone = parts.flatMap(({ member }) =>
    Object.keys(entriesIn(fields, member)).filter((key) => own(entriesIn(declared, member), key) === null),
  );
  const found: { member: string; key: string }[] = [];
  // A loop over a list also visits the elements that are added during the loop.
  for (const other of gone)
    for (const { member, form } of parts)
      for (const [key, entry] of Object.entries(entriesIn(fields, member))) {
        const needs = (isFields(entry) && form.needs?.(entry, key)) || [];
        if (gone.includes(key) || !needs.some((need) => need.as === undefined && need.key === other))
          continue;
        gone.push(key);
        found.push({ member, key });
      }
  return found;
}

const nothingToRemove = "a new resource has no parts to remove";

export const exclusive: Concern = {
  name: "exclusive",
  programs: "a program removes entries that it declared earlier, and leaves others",
  state: { on: { nothing: nothingToRemove, source: true, existing: true }, run: withRemovals },
};

/** Parts that the server deletes with the parts that a document removes. */
export const dependents: Concern = {
  name: "dependents",
  programs: true,
  state: { on: { nothing: nothingToRemove, source: true, existing: true }, run: withDependents },
};
