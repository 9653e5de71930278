import { type Address, addressKey, formatAddress } from "../../model/addresses/address.ts";
import type { DesiredResource, LoadedFiles } from "../../manifests/manifest/index.ts";
import type { Organization } from "../../state/organization.ts";
import { defaultPolicy, adds } from "../../planning/plan/index.ts";
import type { Problem } from "../../problems/problem.ts";
import { lastPass } from "../../execution/session/index.ts";
import type { Variables } from "../../source/variables.ts";
import type { Run } from "../../operations/index.ts";
import { type Update, updateManifests } from "./update.ts";

/** An update, and the remaining differences. */
export interface Acceptance extends Update {
  /** Declared resources that do not exist. */
  missing: Address[];
  /** Why other resources could not be compared. */
  problems: readonly Problem[];
  /** The live addresses of declared resources, if they differ from the declared ones. */
  liveNames: ReadonlyMap<string, string>;
}

/** Plans manifests and lets them take over the live values; `strict`: also undeclared ones. Writes nothing. */
export async function acceptDrift(
  run: Pick<Run, "client" | "live">,
  organization: Organization,
  {
    loaded,
    resources,
    variables,
  }: { loaded: LoadedFiles; resources: readonly DesiredResource[]; variables: Variables },
  isChosen: (address: Address) => boolean,
  strict = false,
): Promise<Acceptance> {
  const { actions, differences, problems } = await lastPass(run, organization, "reconcile", resources, {
    ...defaultPolicy,
    strict,
  });
  const chosen = differences.filter(({ desired }) => isChosen(desired.address));
  const compared = new Set(differences.map(({ desired }) => formatAddress(desired.address)));
  const update = updateManifests(loaded, chosen, variables);
  return {
    ...update,
    missing: actions
      .filter((action) => adds(action) && isChosen(action.address))
      .map(({ address }) => address),
    problems: problems.filter(
      ({ address, blocks }) => blocks !== "apply" && (address === undefined || !compared.has(address)),
    ),
    liveNames: new Map(differences.map(({ desired, name }) => [addressKey(desired.address), name])),
  };
}
