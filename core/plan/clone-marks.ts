import { formatReference } from "../address.ts";
import { holdsServices } from "../kinds/index.ts";
import type { Desired } from "../manifest/desired.ts";
import { isMarkedClone, markMember, withCloneMark } from "../parts/index.ts";
import type { Expected } from "./expected.ts";
import type { Refusal } from "./findings.ts";
import { withLiveParts } from "./parts.ts";
import type { Planning } from "./planning.ts";

// To follow means to overwrite, and in a run that prunes to delete what the source does not have. So an environment follows its
// source only if a run has made it as a clone, or if its document names it by its id.

/** A document that also says that its resource is made as a clone, if the resource is to follow its source. */
export function withMarkOfClone(desired: Desired): Desired {
  const { address, name, stated, cloneFrom, follows, expires } = desired;
  // The end of its life says the same.
  if (!follows || !cloneFrom || expires || !holdsServices(address.kind)) return desired;
  return { ...desired, stated: withCloneMark(stated, formatReference(cloneFrom.names), name) };
}

/** Whether an existing resource may follow the source that its document names. @throws Unplannable while that is not known */
export function mayFollow(planning: Planning, desired: Desired, current: Expected): boolean {
  return (
    !current.live ||
    !holdsServices(desired.address.kind) ||
    desired.manage.id !== undefined ||
    isMadeAsClone(planning, desired, current)
  );
}

/** Whether an earlier run has made a resource as a clone. @throws Unplannable while that is not known */
export function isMadeAsClone(planning: Planning, desired: Desired, current: Expected): boolean {
  const { live } = current;
  if (!live) return false;
  const marked = { ...desired, stated: { ...desired.stated, [markMember]: {} } };
  // This plan may add a mark to what it expects.
  const before = { ...current, fields: live.fields };
  return isMarkedClone(withLiveParts(planning, marked, before), live.name);
}

/** Refuses to let an existing resource follow a source of which no run has made it a clone. @throws Unplannable */
export function refuseToFollow(planning: Planning, desired: Desired, current: Expected): Refusal[] {
  if (!desired.follows || mayFollow(planning, desired, current)) return [];
  return [
    {
      code: "exists",
      path: ["clone", "follow"],
      message:
        "it exists, and no run has made it as a clone: to follow the source would overwrite it, and delete what the source does not have",
      help: `give the clone another name, or take follow out; if it is to become a clone, state manage: { id: ${current.id} }`,
    },
  ];
}
