import { type Address, describeAddress } from "../../model/addresses/address.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { staysInParent } from "../../rules/place.ts";
import { nearest } from "../../model/schema/suggest.ts";
import { type Answer, open } from "./answer.ts";
import { type Expectations, duplicatesProblem } from "./expectations.ts";
import type { ExpectedResource, ExpectedContents } from "./expected-resources.ts";
import type { Inventory } from "./inventory.ts";
import type { Planning } from "./planning.ts";

/** The live resource of a document, by id, name, or former name. Open: the document fits several. */
export function locate(
  { findings, inventory }: Pick<Planning, "findings" | "inventory">,
  desired: DesiredResource,
  contents: ExpectedContents,
): Answer<ExpectedResource | undefined> {
  const { kind } = desired.address;
  const { id, renamed_from: oldName } = desired.manage;
  if (id !== undefined)
    return (
      contents.findById(kind, id) ??
      findings.refuse(desired, {
        code: "unknown_id",
        path: ["manage", "id"],
        message: `there is no ${kind.name} with the id ${id} in its ${kind.parent?.name ?? "organization"}`,
        help: `correct the id, or take it out; ${staysInParent(kind)}`,
      })
    );
  const owner = ownerOfName(inventory, desired, contents);
  if (owner)
    return findings.refuse(desired, {
      code: "duplicate",
      path: ["name"],
      message: `the name belongs to the ${kind.name} whose id is in the document of ${describeAddress(owner.address)}`,
      help: "remove one of the two documents; for a rename, apply the rename first, in a separate run",
    });
  const [first, second] = contents.find(kind, desired.name);
  if (first && second) {
    const { message, advice } = duplicatesProblem([first, second]);
    return findings.refuse(desired, { code: "twins", path: ["name"], message, help: advice });
  }
  if (oldName === undefined) return first;
  const old = contents.find(kind, oldName).find((other) => other !== first);
  if (first && old)
    findings.note({
      code: "old_name_exists",
      message: `"${oldName}" exists as well, so renamed_from has no effect; remove it`,
      address: desired.address,
    });
  return first ?? old;
}

/** The document that claims, by id, the resource with another document's name, whatever the order or the targets. */
function ownerOfName(
  { byId }: Inventory,
  desired: DesiredResource,
  contents: ExpectedContents,
): DesiredResource | undefined {
  return contents
    .findLive(desired.address.kind, desired.name)
    .flatMap(({ id = "" }) => byId.get(id)?.documents ?? [])
    .find((document) => document !== desired && document.manage.id !== undefined);
}

/** Whether a document may have an existing resource. */
export function isThere({ address, name, manage }: DesiredResource, contents: ExpectedContents): boolean {
  const { kind } = address;
  if (manage.id !== undefined) return contents.findById(kind, manage.id) !== undefined;
  return [name, manage.renamed_from].some(
    (each) => each !== undefined && contents.find(kind, each).length > 0,
  );
}

/** The existing names most similar to an unknown address. */
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

export function findExisting(
  planning: Planning,
  desired: DesiredResource,
): Answer<ExpectedResource | undefined> {
  const { expectations } = planning;
  const parent = expectations.parentOf(desired.address);
  if (!parent || parent === open) return parent;
  const contents = expectations.contentsFor(desired, parent);
  const found = contents === open ? open : locate(planning, desired, contents);
  // Declared contents of a renamed resource use its new name.
  if (found && found !== open) expectations.bind(desired, found);
  return found;
}
