import { type Address, describeAddress, formatAddress, formatReference, parentAddress } from "../address.ts";
import type { Desired } from "../desired.ts";
import { compare, formatPath } from "../fields/compare.ts";
import { overlay } from "../fields/overlay.ts";
import type { MayComeWith } from "./action.ts";
import type { Holder, PlanContext } from "./context.ts";
import { type Draft, expectNew, isPossible } from "./draft.ts";
import { expectCopy } from "./expected.ts";
import { isThereUnderAnotherName } from "./rewritten.ts";
import { similar } from "./similar.ts";

/** Plans a resource as a clone of another, with what is stated laid over it. */
export function planClone(
  context: PlanContext,
  desired: Desired,
  from: Address,
  holder: Holder,
  coming: MayComeWith | undefined,
): Draft | undefined {
  const { kind } = desired.address;
  const source = context.find(from);
  if (source === "unread") return undefined;
  if (!source) {
    const above = parentAddress(from);
    if (above && goesWith(context, above, from)) {
      context.report(
        desired,
        ["clone", "from"],
        `its source ${describeAddress(from)} goes with ${describeAddress(above)}, which is replaced`,
        "describe the source too, so that it is made again",
      );
      return undefined;
    }
    const near = similar(context, from);
    context.report(
      desired,
      ["clone", "from"],
      `its source ${describeAddress(from)} does not exist, and no document describes it`,
      near === undefined ? "correct clone.from" : `did you mean ${formatReference(near)}?`,
    );
    return undefined;
  }
  const insideSource = context.childrenOf({ reference: { id: "" }, inside: source.inside, resource: source });
  const stated = context.resolve(desired, desired.stated, source.fields);
  if (!insideSource || !stated) return undefined;

  const address = formatAddress(desired.address);
  const copy = expectCopy(source, address);
  copy.name = desired.name;
  copy.fields = overlay(kind.fields, copy.fields, stated);
  const changes = compare(kind.fields, source.fields, copy.fields);
  const impossible = changes.find(
    ({ path, replaces }) => replaces !== undefined && !kind.clone?.carries.includes(path[0] ?? ""),
  );
  if (impossible) {
    context.report(
      desired,
      impossible.path,
      `a clone cannot differ from its source in ${formatPath(impossible.path)}: ${impossible.replaces}`,
      "take the field out, or take clone out and state all fields",
    );
    return undefined;
  }
  if (!isPossible(context, desired, { how: "clone", current: source.fields, wanted: copy.fields }))
    return undefined;
  const siblings = holder.inside.children;
  if (siblings && isThereUnderAnotherName(context, desired, stated, siblings)) return undefined;
  for (const child of insideSource.all) copy.inside.children?.add(expectCopy(child, address));
  expectNew(context, desired, holder, copy);
  return {
    type: "clone",
    ...(coming && { mayComeWith: coming }),
    source: { address: formatAddress(from), ...(source.id !== undefined && { id: source.id }) },
    stated,
    changes,
    contents: [
      ...insideSource.all.map((child) => ({ kind: child.kind.name, name: child.name })),
      ...source.inside.unknown.map(({ type, name }) => ({ kind: type, name })),
    ],
    expected: copy.fields,
  };
}

/** Whether it is there now, inside what this plan replaces. */
function goesWith(context: PlanContext, above: Address, address: Address): boolean {
  const holder = context.find(above);
  const before = holder === "unread" ? undefined : holder?.replaced?.inside.children;
  return (before?.find(address.kind, address.names.at(-1) ?? "").length ?? 0) > 0;
}
