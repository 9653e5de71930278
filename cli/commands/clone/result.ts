import { dump, dumpCost } from "../../../core/import/live/index.ts";
import { LiveStore } from "../../../core/live/index.ts";
import { type Desired, manifestMembers } from "../../../core/manifest/index.ts";
import { title } from "../../render/title.ts";
import type { Status } from "../../progress/status.ts";
import type { ProposedChange } from "../../support/make-change.ts";
import { manifestsText } from "../../support/manifests-text.ts";
import type { Prepared } from "../../support/wanted.ts";

/** The result of `clone`: the manifest of the clone. */
export function cloneResult(
  { address }: Desired,
  { proposal, run }: Prepared,
  status: Status,
): NonNullable<ProposedChange["result"]> {
  return {
    requests: dumpCost(address),
    async read() {
      status.working(`reading ${title(address)}`);
      // The clone is read again, because the server may store other values than it answered.
      const afresh = { client: run.client, live: new LiveStore() };
      const { documents } = await dump(afresh, proposal.plan.organization, address);
      status.pause();
      return { text: manifestsText(documents), json: { documents: documents.map(manifestMembers) } };
    },
  };
}
