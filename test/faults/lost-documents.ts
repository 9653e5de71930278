import { lostContent } from "../../core/outputs/forms/index.ts";
import type { Report } from "../../core/index.ts";
import type { Fields } from "../../core/values/json.ts";
import { manifestMembers } from "../../core/manifests/manifest/index.ts";

/** The documents that restore the resources that a run has deleted and not created again. */
export function lostDocuments({ outcomes }: Report): Fields[] {
  return outcomes.flatMap(({ address, lost }) =>
    lost ? [{ ...manifestMembers(lostContent(address, lost)) } as Fields] : [],
  );
}
