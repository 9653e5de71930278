import type { LiveResource } from "../live/index.ts";
import type { Done } from "./context.ts";

/** Why a resource exists that the run was going to create. */
type FoundHow = Pick<Done, "already"> & { remark: string };

export const cameWithClone: FoundHow = { already: true, remark: "came with the clone of its parent" };

export const madeByAnother: FoundHow = {
  already: true,
  remark: "created by another run since the plan was made",
};

/** After an unclear answer the resource is most probably the work of this run. */
export const takenOver: FoundHow = { remark: "adopted after an unclear answer" };

/** The result for a resource that existed when the run was going to create it. */
export function found(how: FoundHow, there: LiveResource, { already, remark, ...done }: Done): Done {
  // The report also has to say that somebody else created the resource in another form.
  const isChanged = how.already && done.response !== there.response;
  const more = [
    ...(isChanged ? ["this run has changed the fields that differed"] : []),
    ...(already ? [] : [remark]),
  ];
  return { ...done, ...how, remark: [how.remark, ...more].filter((part) => part !== undefined).join("; ") };
}
