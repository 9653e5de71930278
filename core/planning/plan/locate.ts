import { type Address, describeAddress } from "../../model/addresses/address.ts";
import type { Desired } from "../../manifests/manifest/index.ts";
import { staysInParent } from "../../rules/place.ts";
import { nearest } from "../../model/schema/suggest.ts";
import { type Answer, open } from "./answer.ts";
import { type Expectations, duplicatesProblem } from "./expectations.ts";
import type { ExpectedResource, ExpectedContents } from "./expected-resources.ts";
import type { Findings } from "./findings.ts";
import type { Inventory } from "./inventory.ts";
import type { Planning } from "./planning.ts";

/**
 * The live resource that a document describes: by id, by name, or by its former name. Undefined when there is none, open
 * where the document fits several.
 */
export function locate(
  { findings, inventory }: Pick<Planning, "findings" | "inventory">,
  desired: Desired,
  contents: ExpectedContents,
): Answer<ExpectedResource | undefined> {
  const { kind } = desired.address;
  const { id, renamed_from: oldName } = desired.manage;
  if (id !== undefined)
    return (
      contents.findById(kind, id) ??
      findings.reject(
        "unknown_id",
        desired,
        ["manage", "id"],
        `there is no ${kind.name} with the id ${id} in its ${kind.parent?.name ?? "organization"}`,
        `correct the id, or take it out; ${staysInParent(kind)}`,
      )
    );
  if (isNameOfAnother(findings, inventory, desired, contents)) return open;
  const [first, second] = contents.find(kind, desired.name);
  if (first && second) {
    const { message, advice } = duplicatesProblem([first, second]);
    return findings.reject("twins", desired, ["name"], message, advice);
  }
  if (oldName === undefined) return first;
  const old = contents.find(kind, oldName).find((other) => other !== first);
  if (first && old)
    findings.note({
      code: "old_name_exists",
      message: `"${oldName}" exists as well, so renamed_from has no effect; take it out`,
      address: desired.address,
    });
  return first ?? old;
}

/**
 * A name does not identify a resource whose id another document states. Which of the two documents comes first, and
 * whether a target chooses the other one, must not decide what this one means.
 */
function isNameOfAnother(
  findings: Findings,
  inventory: Inventory,
  desired: Desired,
  contents: ExpectedContents,
): boolean {
  const { kind } = desired.address;
  const other = contents
    .findLive(kind, desired.name)
    .flatMap(({ id = "" }) => inventory.byId.get(id)?.documents ?? [])
    .find((document) => document !== desired && document.manage.id !== undefined);
  if (!other) return false;
  findings.report(
    "duplicate",
    desired,
    ["name"],
    `the name belongs to the ${kind.name} whose id the document of ${describeAddress(other.address)} states`,
    "take one of the two documents out; if it is renamed, apply the rename first, in a separate run",
  );
  return true;
}

/** Whether a resource exists that a document may describe. */
export function isThere({ address, name, manage }: Desired, contents: ExpectedContents): boolean {
  const { kind } = address;
  if (manage.id !== undefined) return contents.findById(kind, manage.id) !== undefined;
  return [name, manage.renamed_from].some(
    (each) => each !== undefined && contents.find(kind, each).length > 0,
  );
}

/** The existing names most similar to an address at which there is nothing. */
export function similar(expectations: Expectations, { kind, names }: Address): Answer<string[] | undefined> {
  const name = names.at(-1) ?? "";
  const parent = expectations.parentOf({ kind, names });
  if (parent === open) return open;
  if (!parent) {
    const parentNames =
      kind.parent && similar(expectations, { kind: kind.parent, names: names.slice(0, -1) });
    return parentNames === open ? open : parentNames && [...parentNames, name];
  }
  const contents = expectations.contentsOf(parent, kind);
  if (contents === open) return open;
  const siblings = contents.all.filter((child) => child.kind === kind);
  const near = nearest(
    name,
    siblings.map((sibling) => sibling.name),
  );
  return near === undefined ? undefined : [...names.slice(0, -1), near];
}

/** The resource that a document describes, if it exists. */
export function findExisting(planning: Planning, desired: Desired): Answer<ExpectedResource | undefined> {
  const { expectations } = planning;
  const parent = expectations.parentOf(desired.address);
  if (!parent || parent === open) return parent;
  const contents = expectations.contentsFor(desired, parent);
  const found = contents === open ? open : locate(planning, desired, contents);
  // Documents use the new name of a renamed resource for its contents.
  if (found && found !== open) expectations.bind(desired, found);
  return found;
}
