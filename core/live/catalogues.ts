import { type Client, path } from "../api/index.ts";
import type { CatalogueEntry } from "../fields/references.ts";
import { isFields } from "../json.ts";
import type { Catalogue } from "../kinds/index.ts";

const paths: Record<Catalogue, (organizationId: string) => string> = {
  cluster: (organizationId) => path`/organization/${organizationId}/cluster`,
  containerRegistry: (organizationId) => path`/organization/${organizationId}/containerRegistry`,
  gitToken: (organizationId) => path`/organization/${organizationId}/gitToken`,
  annotationsGroup: (organizationId) => path`/organization/${organizationId}/annotationsGroups`,
  labelsGroup: (organizationId) => path`/organization/${organizationId}/labelsGroups`,
  helmRepository: (organizationId) => path`/organization/${organizationId}/helmRepository`,
};

/** The entries of a catalogue of the organization: one request. */
export async function readCatalogue(
  client: Client,
  organizationId: string,
  catalogue: Catalogue,
): Promise<CatalogueEntry[]> {
  const items = await client.list(paths[catalogue](organizationId));
  return items.flatMap((item) => {
    const { id, name } = isFields(item) ? item : {};
    return typeof id === "string" && typeof name === "string" ? [{ id, name }] : [];
  });
}
