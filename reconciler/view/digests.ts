import { createHash } from "node:crypto";
import { type Address, addressKey, formatAddress } from "../../core/model/addresses/address.ts";
import { type Json, once, stableJson } from "../../core/values/json.ts";
import { type DesiredResource, parentOf } from "../../core/manifests/manifest/index.ts";
import { entriesIn, declaredParts } from "../../core/model/parts/index.ts";
import type { AppliedDocuments, DocumentDigest, Digests } from "../decide/index.ts";
import { environmentOf } from "../policy/index.ts";

/** Digests of the documents of a commit by environment key, which change only with a document of the environment. */
export const digestsOf = once((resources: readonly DesiredResource[]): ReadonlyMap<string, string> => {
  const byEnvironment = Map.groupBy(resources, ({ address }) => environmentOf(address).key);
  return new Map([...byEnvironment].map(([key, documents]) => [key, digestOf(documents)]));
});

function digestOf(documents: readonly DesiredResource[]): string {
  const declared = documents.map(({ address, declared: fields, manage }) =>
    stableJson([formatAddress(address), fields, { ...manage } as Json]),
  );
  return createHash("sha256").update(declared.toSorted().join("\n")).digest("hex");
}

/** The documents of a commit as loaded, with all overlays and variables, for the comparison of causes. */
export const documentDigests = once((resources: readonly DesiredResource[]): Digests => {
  const digests = new Map<string, DocumentDigest & { address: Address }>();
  const formers = new Map<DesiredResource, readonly string[]>();
  for (const desired of resources) {
    const { address } = desired;
    const former = formerNames(desired, formers);
    formers.set(desired, former);
    const key = addressKey(address);
    const before = addressKey({ ...address, names: former });
    digests.set(key, {
      address,
      digest: documentDigestOf(desired),
      ...entriesOf(desired),
      ...(desired.cloneFrom && { isCopy: true }),
      ...(before !== key && { former: before }),
    });
  }
  return digests;
});

export function digestsIn(digests: Digests): AppliedDocuments {
  return Object.fromEntries([...digests].map(([key, { digest }]) => [key, digest]));
}

function entriesOf({ address, declared }: DesiredResource): Pick<DocumentDigest, "entries"> {
  const entries = declaredParts(address.kind).flatMap(({ member }) =>
    Object.entries(entriesIn(declared, member)).flatMap(([key, value]) =>
      value === null ? [] : `${member}.${key}`,
    ),
  );
  return entries.length > 0 ? { entries } : {};
}

/** Names from the project down, before the declared renames. */
function formerNames(
  desired: DesiredResource,
  known: ReadonlyMap<DesiredResource, readonly string[]>,
): readonly string[] {
  const { address, manage } = desired;
  const parent = parentOf(desired);
  const above = (parent && known.get(parent)) ?? address.names.slice(0, -1);
  return [...above, manage.renamed_from ?? address.names.at(-1) ?? ""];
}

function documentDigestOf({ name, declared, secretValues, manage, cloneFrom }: DesiredResource): string {
  const clone = cloneFrom && { from: formatAddress(cloneFrom) };
  const said = [name, declared, [...secretValues], { ...manage }, clone ?? null] as unknown as Json;
  return createHash("sha256").update(stableJson(said)).digest("base64url").slice(0, 22);
}
