import { type Address, formatAddress, formatReference } from "../../../core/address.ts";
import { nameKey } from "../../../core/names.ts";
import { findLive } from "../../../core/import/live/index.ts";
import { parentKindAt } from "../../../core/kinds/index.ts";
import type { Organization } from "../../../core/organization.ts";
import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import type { Run } from "../../../core/operations/index.ts";
import { readResourceArgument } from "../../support/resource-argument.ts";

/** A function that finds the address of the one resource that an argument means, or the problem of the argument. */
type OneChoice = { problem: Problem } | { find(run: Run, organization: Organization): Promise<Address> };

/** The resource that an argument means: by its address, or by its names alone. */
export function chooseOne(text: string): OneChoice {
  const meant = readResourceArgument(text);
  if ("problem" in meant) return meant;
  return "address" in meant
    ? { find: () => Promise.resolve(meant.address) }
    : { find: (run, organization) => findByNames(run, organization, meant.names) };
}

/** The address of the only resource with these names, whatever its kind. */
async function findByNames(run: Run, organization: Organization, names: readonly string[]): Promise<Address> {
  const parentKind = parentKindAt(names.length - 2);
  if (!parentKind) throw new TypeError("a reference of this length has a parent");
  const parent = await findLive(run, organization, { kind: parentKind, names: names.slice(0, -1) });
  const contents = await run.live.contentsOf(run.client, parentKind, parent.id);
  const resources = contents?.resources ?? [];
  const [first, second] = resources.filter(({ name }) => nameKey(name) === nameKey(names.at(-1) ?? ""));
  if (first && !second) return { kind: first.kind, names };
  const reference = formatReference(names);
  throw new InvalidInputError([
    first && second
      ? {
          code: "argument",
          message: `${reference} can mean ${formatAddress({ kind: first.kind, names })} or ${formatAddress({ kind: second.kind, names })}`,
          advice: "name its kind",
        }
      : {
          code: "not_found",
          message: `${reference} does not exist`,
          advice:
            resources.length === 0
              ? "its parent is empty"
              : `there are: ${resources
                  .map(({ name }) => name)
                  .toSorted()
                  .join(", ")}`,
        },
  ]);
}
