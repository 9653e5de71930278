import { formatAddress } from "../../../core/model/addresses/address.ts";
import { formatPath } from "../../../core/model/fields/compare.ts";
import type { DumpedDocument } from "../../../core/import/live/index.ts";
import { parseManifest, toDesired } from "../../../core/manifests/manifest/index.ts";
import type { Organization } from "../../../core/state/organization.ts";
import { defaultPolicy, isChange } from "../../../core/planning/plan/index.ts";
import { propose, type Run } from "../../../core/execution/session/index.ts";
import { escapeControl } from "../../../core/values/text.ts";
import { manifestsText } from "../../files/write-files.ts";

/** The result of checking manifests of live resources: they have no mistakes, and plan no changes. */
export interface WrittenCheck {
  mistakes: string[];
  changes: string[];
}

/** Validates and plans manifests as read from their files. Most of the needed state has been read for them. */
export async function checkWritten(
  run: Run,
  organization: Organization,
  documents: readonly DumpedDocument[],
): Promise<WrittenCheck> {
  const parsed = parseManifest(manifestsText(documents), "manifests");
  const { resources, problems } = toDesired(parsed.documents);
  const invalid = [...parsed.problems, ...problems];
  if (invalid.length > 0) return { mistakes: invalid.map(({ message }) => message), changes: [] };
  const { plan } = await propose(run, organization, "reconcile", resources, defaultPolicy);
  return {
    mistakes: plan.problems.filter(({ blocks }) => blocks !== "apply").map(({ message }) => message),
    changes: plan.actions
      .filter(isChange)
      .map(({ type, address, changes }) =>
        [`${type} ${formatAddress(address)}`, changes.map(({ path }) => formatPath(path)).join(", ")]
          .filter(Boolean)
          .join(": "),
      ),
  };
}

/** The result as sentences; none if all is well. */
export function checkText({ mistakes, changes }: WrittenCheck): string[] {
  return [
    ...mistakes.map((message) => `The manifests have a mistake: ${escapeControl(message)}`),
    ...(changes.length > 0
      ? [`A plan of the manifests would make these changes: ${escapeControl(changes.join("; "))}`]
      : []),
  ];
}
