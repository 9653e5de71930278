import { type Client, path } from "../api/index.ts";
import type { CatalogueEntry } from "../fields/references.ts";
import { isFields } from "../json.ts";
import { type Catalogue, catalogues } from "../schema/catalogues.ts";

/** The entries of a catalogue of the organization: one request. */
export async function readCatalogue(
  client: Client,
  organizationId: string,
  catalogue: Catalogue,
): Promise<CatalogueEntry[]> {
  const items = await client.list(path`/organization/${organizationId}/${catalogues[catalogue].segment}`);
  return items.flatMap((item) => {
    const { id, name } = isFields(item) ? item : {};
    return typeof id === "string" && typeof name === "string" ? [{ id, name }] : [];
  });
}
