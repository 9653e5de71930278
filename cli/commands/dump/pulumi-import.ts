import { encodeName } from "../../../core/address.ts";
import type { DumpedDocument } from "../../../core/import/live/index.ts";
import { programKinds } from "../../../core/kinds/index.ts";

/** The file that `pulumi import --file` reads, as far as the plugin needs it. */
export interface PulumiImport {
  resources: { type: string; name: string; id: string }[];
}

/**
 * Resources for an import by Pulumi, without those that no program can have. The id of each is its path, so that all resources of an environment are found with
 * one request. Its name in the program is its own name, or its path where several of its kind have that name.
 */
export function pulumiImport(documents: readonly DumpedDocument[]): PulumiImport {
  const imported = documents.filter(({ kind }) => programKinds.includes(kind));
  const byName = Map.groupBy(imported, ({ kind, name }) => `${kind.slug} ${name}`);
  return {
    resources: imported.map(({ kind, parent, name }) => {
      const id = parent === undefined ? encodeName(name) : `${parent}/${encodeName(name)}`;
      const isAlone = byName.get(`${kind.slug} ${name}`)?.length === 1;
      return { type: `infrasync:index:${kind.name}`, name: isAlone ? name : id.replaceAll("/", "-"), id };
    }),
  };
}
