import type { Address } from "../address.ts";
import type { Desired } from "../desired.ts";
import { staysInParent } from "../rules/place.ts";
import { nearest } from "../schema/suggest.ts";
import { type Expectations, twinsProblem } from "./expectations.ts";
import type { Expected, ExpectedContents } from "./expected.ts";
import type { Findings } from "./findings.ts";

/**
 * The live resource that a document describes: by id, by name, or by its former name. Undefined when there is none.
 *
 * @throws Unplannable where the document fits several resources
 */
export function locate(
  findings: Findings,
  desired: Desired,
  contents: ExpectedContents,
): Expected | undefined {
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
  const [first, second] = contents.find(kind, desired.name);
  if (first && second) {
    const { message, advice } = twinsProblem([first, second]);
    findings.reject("twins", desired, ["name"], message, advice);
  }
  if (oldName === undefined) return first;
  const old = contents.find(kind, oldName).find((other) => other !== first);
  if (first && old)
    findings.note(`"${oldName}" exists as well, so renamed_from does nothing; take it out`, desired.address);
  return first ?? old;
}

/** Whether a resource exists that a document may describe. */
export function isThere({ address, name, manage }: Desired, contents: ExpectedContents): boolean {
  const { kind } = address;
  if (manage.id !== undefined) return contents.findById(kind, manage.id) !== undefined;
  return [name, manage.renamed_from].some(
    (each) => each !== undefined && contents.find(kind, each).length > 0,
  );
}

/**
 * The existing names most similar to an address at which there is nothing.
 *
 * @throws Unplannable
 */
export function similar(expectations: Expectations, { kind, names }: Address): string[] | undefined {
  const name = names.at(-1) ?? "";
  const parent = expectations.parentOf({ kind, names });
  if (!parent) {
    const parentNames =
      kind.parent && similar(expectations, { kind: kind.parent, names: names.slice(0, -1) });
    return parentNames && [...parentNames, name];
  }
  const siblings = expectations.contentsOf(parent).all.filter((child) => child.kind === kind);
  const near = nearest(
    name,
    siblings.map((sibling) => sibling.name),
  );
  return near === undefined ? undefined : [...names.slice(0, -1), near];
}
