import type { Client } from "../../api/index.ts";
import { type Fields, isFields, textIn } from "../../values/json.ts";
import { withoutCredentials } from "../../redaction/credential-forms.ts";
import type { Organization } from "../../state/organization.ts";
import { entryKindOf } from "../../model/kinds/index.ts";
import type { Catalogue } from "../../model/schema/catalogues.ts";

/** An entry of a list of the organization to which manifests refer by name. */
export interface ListedEntry {
  catalogue: Catalogue;
  id: string;
  name: string;
  /** The members that distinguish it, by their names in the API; none is secret. */
  details: Readonly<Record<string, string>>;
}

/** The shown members of an entry. Others may hold credentials. */
const shownMembers = ["kind", "type", "cloud_provider", "region", "status", "url", "expired_at"];

/** Reads lists of the organization: one request for each. */
export async function listEntries(
  client: Client,
  { id }: Organization,
  desired: readonly Catalogue[],
): Promise<ListedEntry[]> {
  const lists = await Promise.all(
    desired.map(async (catalogue) => {
      const items = await client.list(entryKindOf(catalogue).listing.path(id));
      return items.flatMap((item) => (isFields(item) ? entryOf(catalogue, item) : []));
    }),
  );
  return lists.flat();
}

function entryOf(catalogue: Catalogue, item: Fields): ListedEntry[] {
  const [id, name] = [textIn(item, "id"), textIn(item, "name")];
  if (id === undefined || name === undefined) return [];
  const shown = shownMembers.flatMap((member): [string, string][] => {
    const value = textIn(item, member);
    return value === undefined || value === "" ? [] : [[member, withoutCredentials(value)]];
  });
  const keys = keysIn(item["annotations"] ?? item["labels"]);
  return [
    {
      catalogue,
      id,
      name,
      details: Object.fromEntries([...shown, ...(keys === "" ? [] : [["keys", keys]])]),
    },
  ];
}

function keysIn(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value.flatMap((each) => (isFields(each) ? (textIn(each, "key") ?? []) : [])).join(", ");
}
