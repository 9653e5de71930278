import { isDeepStrictEqual } from "node:util";
import { addressKey, type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import { nameKey } from "../../model/addresses/names.ts";
import type { Problem } from "../../problems/problem.ts";
import type { ManifestDocument } from "./document.ts";
import { addressOf } from "./layers.ts";
import { manifestMembers } from "./members.ts";

export interface EnvironmentDocuments {
  name: string;
  documents: readonly ManifestDocument[];
}

/** Merges the documents of environments. A resource of several environments has to be the same in all. */
export function mergeEnvironments(environments: readonly EnvironmentDocuments[]): {
  documents: ManifestDocument[];
  problems: Problem[];
  /** The environments with a resource, or with its nearest declared parent: `staging, production`. */
  sectionOf(address: AnyAddress): string;
} {
  const byKey = new Map<string, { document: ManifestDocument; environment: string }>();
  const documents: ManifestDocument[] = [];
  const problems: Problem[] = [];
  const owners = new Map<string, string[]>();
  for (const { name: environment, documents: read } of environments) {
    for (const document of read) {
      const address = addressOf(document);
      const place = placeOf(address.names);
      owners.set(place, [...new Set([...(owners.get(place) ?? []), environment])]);
      const other = byKey.get(addressKey(address));
      if (!other || other.environment === environment) {
        byKey.set(addressKey(address), { document, environment });
        documents.push(document);
      } else if (!isDeepStrictEqual(manifestMembers(other.document), manifestMembers(document)))
        problems.push({
          code: "duplicate",
          message: `${formatAddress(address)} differs between ${other.environment} and ${environment}`,
          advice: "declare it in a source that both environments use, with the same values of variables",
          position: document.position([]),
        });
    }
  }
  return { documents, problems, sectionOf: ({ names }) => sectionOf(names, owners) };
}

function sectionOf(names: readonly string[], owners: ReadonlyMap<string, readonly string[]>): string {
  for (let length = names.length; length > 0; length--) {
    const found = owners.get(placeOf(names.slice(0, length)));
    if (found) return found.join(", ");
  }
  return [...new Set([...owners.values()].flat())].join(", ");
}

function placeOf(names: readonly string[]): string {
  return names.map(nameKey).join("/");
}
