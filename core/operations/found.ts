import type { LiveResource } from "../live/index.ts";
import type { Done } from "./run.ts";
import type { RemarkCode } from "../codes.ts";

/** Why a resource exists that the run was going to create. */
type FoundHow = Pick<Done, "already" | "uncertain"> & { remarks: readonly RemarkCode[] };

export const cameWithClone: FoundHow = { already: true, remarks: ["came_with_clone"] };

export const madeByAnother: FoundHow = { already: true, remarks: ["created_by_another"] };

/** After an unclear answer the resource is most probably the work of this run. */
export const takenOver: FoundHow = { uncertain: true, remarks: ["adopted"] };

/** The result for a resource that existed when the run was going to create it. */
export function found(how: FoundHow, there: LiveResource, { already, remarks = [], ...done }: Done): Done {
  // The report also has to say that somebody else created the resource in another form.
  const isChanged = how.already && done.response !== there.response;
  const changed: readonly RemarkCode[] = isChanged ? ["fields_changed"] : [];
  return { ...done, ...how, remarks: [...how.remarks, ...changed, ...(already ? [] : remarks)] };
}
