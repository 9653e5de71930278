import { type Address, addressKey } from "../../model/addresses/address.ts";
import type { Fields } from "../../values/json.ts";
import {
  addressOf,
  type LoadedSource,
  type ManifestDocument,
  relevantDefaults,
} from "../../manifests/manifest/index.ts";
import type { Position } from "../../problems/problem.ts";

/** The layers that declare fields of one resource, the most specific last. */
export interface Layers {
  defaults: readonly { fields: Fields; position(path: readonly (string | number)[]): Position }[];
  /** The documents of the resource: one for each source. */
  documents: readonly ManifestDocument[];
}

/** Finds the layers with the fields of resources, source by source. */
export function layersBy(sources: readonly LoadedSource[]): (address: Address) => Layers {
  const documents = new Map<string, ManifestDocument[]>();
  for (const source of sources)
    for (const document of source.documents) {
      const key = addressKey(addressOf(document));
      if (document.removes) documents.delete(key);
      else documents.set(key, [...(documents.get(key) ?? []), document]);
    }
  const allDefaults = sources.flatMap((source) => source.defaults);
  return (address) => ({
    defaults: relevantDefaults(address, allDefaults),
    documents: documents.get(addressKey(address)) ?? [],
  });
}
