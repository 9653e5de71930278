import { addressKey, formatReference } from "../../core/model/addresses/address.ts";
import { findKind } from "../../core/model/kinds/index.ts";
import { previewName } from "../policy/index.ts";
import type { Claim, OtherSources } from "../sources/index.ts";
import { type ExistingEnvironment, ownershipOf } from "./existing-environment.ts";
import { type DeletionContext, type PreviewContext, whyLeftAlone } from "./operations.ts";

const onePreviewEach =
  "two sources cannot make previews with the same number in one project: use a project for each, or remove one source";

/**
 * Why pull requests get no preview, or share one, by their numbers: somebody else has made it, or wants it too.
 *
 * @param claim says which previews this source wants, and gives those that other sources want too
 * @param desired the numbers of the pull requests
 * @param notOurs the environments with names of previews that were not made here
 */
export async function contestedPreviews(
  claim: OtherSources["claimPreviews"] | undefined,
  { policy, organization, owner }: DeletionContext & Pick<PreviewContext, "policy">,
  desired: readonly number[],
  notOurs: readonly ExistingEnvironment[],
): Promise<Map<number, string>> {
  const [project] = policy.from;
  const keyOf = (number: number) => previewKey(project, number);
  const conflicts = (await claim?.(claimOf({ organization }, desired.map(keyOf)))) ?? [];
  const claimed = new Map(conflicts.map(({ key, source }) => [key, source]));
  const contested = new Map<number, string>();
  for (const number of desired) {
    const other = claimed.get(keyOf(number));
    const name = formatReference([project, previewName(number)]);
    if (other !== undefined)
      contested.set(number, `the source ${other} has a preview ${name} too; ${onePreviewEach}`);
  }
  for (const each of notOurs)
    if (desired.includes(each.number) && ["foreign", "unknown"].includes(ownershipOf(each, owner)))
      contested.set(each.number, whyLeftAlone(each, owner));
  return contested;
}

function previewKey(project: string, number: number): string {
  const kind = findKind("environment");
  return kind ? addressKey({ kind, names: [project, previewName(number)] }) : "";
}

/** The claim of previews. @param keys of the addresses of desired previews */
export function claimOf(
  { organization: { id } }: Pick<DeletionContext, "organization">,
  keys: readonly string[],
): Claim {
  return { organization: id, declared: new Set(keys), pruned: new Set() };
}
