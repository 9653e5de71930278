import { type Address, describeAddress, formatAddress } from "../address.ts";
import type { Desired } from "../desired.ts";
import type { PlanContext } from "./context.ts";
import type { Expected, ExpectedChildren } from "./expected.ts";

/** The live resource that a document means: by id, by name, or by the name that it has had. */
export function locate(
  context: PlanContext,
  desired: Desired,
  children: ExpectedChildren,
): Expected | "problem" | undefined {
  const { kind } = desired.address;
  const { id, renamed_from: oldName } = desired.manage;
  if (id !== undefined) {
    const pinned = children.findById(kind, id);
    if (pinned) return pinned;
    context.report(
      desired,
      ["manage", "id"],
      `there is no ${kind.name} with the id ${id} in its ${kind.parent?.name ?? "organization"}`,
      "correct the id, or take it out; a resource cannot be moved",
    );
    return "problem";
  }
  const [first, second] = children.find(kind, desired.name);
  if (first && second) {
    reportTwins(context, desired.address, [first, second], desired);
    return "problem";
  }
  if (oldName === undefined) return first;
  const old = children.find(kind, oldName).find((other) => other !== first);
  if (first && old)
    context.note(
      `"${oldName}" exists as well, so renamed_from does nothing; take it out`,
      formatAddress(desired.address),
    );
  return first ?? old;
}

/** Reports that names do not tell resources apart. */
export function reportTwins(
  context: PlanContext,
  address: Address,
  twins: readonly Expected[],
  desired?: Desired,
): void {
  const ids = twins.map((twin) => twin.id).join(" and ");
  const message = `the API holds two of them: ${ids}`;
  const advice = "delete or rename one of them, or say with manage.id which one is meant";
  if (desired) context.report(desired, ["name"], message, advice);
  else
    context.problems.push({
      message: `${describeAddress(address)}: ${message}`,
      advice,
      address: formatAddress(address),
    });
}
