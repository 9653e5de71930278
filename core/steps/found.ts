import type { LiveResource } from "../live/index.ts";
import type { Done } from "./context.ts";

/** How it comes that a resource is there that was to be made. */
type FoundHow = Pick<Done, "already"> & { remark: string };

export const cameWithClone: FoundHow = { already: true, remark: "came with the clone of what holds it" };

export const madeByAnother: FoundHow = {
  already: true,
  remark: "there already: made by another run since the plan",
};

/** After an unclear answer it is most likely the work of this run. */
export const takenOver: FoundHow = { remark: "taken over after an unclear answer" };

/** What has become of a resource that was there when it was to be made. */
export function found(how: FoundHow, there: LiveResource, { already, remark, ...done }: Done): Done {
  // Who made it did not make it as planned: a report that keeps silent about that would not tell what is so.
  const isChanged = how.already && done.response !== there.response;
  const more = [...(isChanged ? ["this run has changed what differed"] : []), ...(already ? [] : [remark])];
  return { ...done, ...how, remark: [how.remark, ...more].filter((part) => part !== undefined).join("; ") };
}
