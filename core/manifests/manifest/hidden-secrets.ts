import { stat } from "node:fs/promises";
import type { HiddenTexts } from "../../api/index.ts";
import { fromFolder } from "../../files/files.ts";
import { type Fields, isFields, stableJson } from "../../values/json.ts";
import type { DesiredResource } from "./desired-resource.ts";
import { entriesIn, declaredParts } from "../../model/parts/index.ts";
import { secretsInFields, SecretReader, type SecretSources } from "../../secrets/index.ts";

/** A shorter value also occurs in unrelated text. */
const shortestHidden = 8;

/** Hides the secrets of documents, with `programs` those of sops and commands too. A value that is also in plain text stays. */
export async function hideSecrets(
  resources: readonly Pick<DesiredResource, "address" | "declared">[],
  sources: SecretSources,
  hidden: Pick<HiddenTexts, "hide">,
  { programs = false, signal }: { programs?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
  const references = resources.flatMap(referencesOf);
  if (references.length === 0) return;
  const reader = new SecretReader(sources, { signal });
  const folder = typeof sources.files === "object" ? sources.files.folder : (sources.folder ?? ".");
  const isDesired = async (reference: Fields) => {
    const { from_file: file, from_env: variable } = reference;
    // A pipe can be read once.
    if (typeof file === "string")
      return stat(fromFolder(folder, file)).then(
        (stats) => stats.isFile(),
        () => false,
      );
    return typeof variable === "string" || programs;
  };
  const values = await Promise.all(
    references.map(async (reference) =>
      (await isDesired(reference)) ? reader.read(reference).catch(() => "") : "",
    ),
  );
  const plain = stableJson(
    resources.map(({ address, declared }) => ({ ...declared, is: [...address.names] })),
  );
  for (const value of new Set(values))
    if (value.trim().length >= shortestHidden && !plain.includes(JSON.stringify(value).slice(1, -1)))
      hidden.hide(value);
}

/** The sources of the secrets of a document: `{ from_env: NAME }` and the like. */
function referencesOf({
  address: { kind },
  declared,
}: Pick<DesiredResource, "address" | "declared">): Fields[] {
  const inParts = declaredParts(kind).flatMap(({ member, form }) =>
    form.isWriteOnly ? Object.values(entriesIn(declared, member)).filter(isFields) : [],
  );
  return [...secretsInFields(kind.fields, declared).map(({ reference }) => reference), ...inParts];
}
