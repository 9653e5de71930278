import type { Client } from "../api/index.ts";
import { nameKey } from "../names.ts";
import { type Organization, uuid } from "../organization.ts";
import { InvalidInputError } from "../problem.ts";
import { nearest } from "../schema/suggest.ts";
import { listEntries } from "./entries.ts";

/**
 * The id of a cluster: one request where it is given by name.
 *
 * @param wanted name or id
 * @throws InvalidInputError where there is no cluster of that name
 */
export async function clusterId(client: Client, organization: Organization, wanted: string): Promise<string> {
  if (uuid.test(wanted)) return wanted;
  const clusters = await listEntries(client, organization, ["cluster"]);
  const found = clusters.find(({ name }) => nameKey(name) === nameKey(wanted));
  if (found) return found.id;
  const names = clusters.map(({ name }) => name).toSorted();
  const near = nearest(wanted, names);
  throw new InvalidInputError([
    {
      code: "not_found",
      message: `there is no cluster "${wanted}"`,
      advice:
        names.length === 0
          ? "the organization has no clusters"
          : `${near === undefined ? "" : `did you mean ${near}? `}the organization has: ${names.join(", ")}`,
    },
  ]);
}
