import { own } from "../../values/json.ts";
import { credentialText, openCredentials } from "../../rules/credentials.ts";
import { textOf } from "../../problems/say.ts";
import { doubtsIn } from "../../rules/doubts.ts";
import { propertiesOf } from "../../model/schema/field-schema.ts";
import { type Address, describeAddress } from "../../model/addresses/address.ts";
import type { ManifestDocument } from "./document.ts";
import { addressOf } from "./layers.ts";

/** A remark about documents that is no mistake. */
export interface DocumentNote {
  code: "left_to_platform" | "doubtful_value" | "credential";
  message: string;
  resources: Address[];
}

/** A note for each valid but improbable value. */
export function doubtfulValues(documents: readonly ManifestDocument[]): DocumentNote[] {
  return documents.flatMap((document) => {
    const address = addressOf(document);
    // The undeclared fields of a clone are those of its source.
    const { kind, name, fields, clone } = document;
    return doubtsIn(kind, name, fields, clone ? undefined : {}).map(({ message }) => ({
      code: "doubtful_value" as const,
      message: `${describeAddress(address)}: ${textOf(message)}`,
      resources: [address],
    }));
  });
}

/** The texts of documents that look like credentials: a note for each document, without the texts. */
export function credentialNotes(
  documents: readonly Pick<ManifestDocument, "kind" | "parent" | "name" | "fields">[],
): DocumentNote[] {
  return documents.flatMap((document) => {
    const found = openCredentials(document.kind, document.fields);
    if (found.length === 0) return [];
    const address = addressOf(document);
    const message = `${describeAddress(address)}: ${textOf(credentialText(document.kind, found))}`;
    return [{ code: "credential" as const, message, resources: [address] }];
  });
}

/** A note for each omitted member for which the platform chooses an undocumented value. */
export function leftToPlatform(documents: readonly ManifestDocument[]): DocumentNote[] {
  // A clone is as its source.
  const found = documents.flatMap((document) =>
    propertiesOf(document.clone ? {} : document.kind.fields).flatMap(([member, { platformSets = [] }]) =>
      (own(document.fields, member) === undefined ? platformSets : []).flatMap(({ what, when }) =>
        what === undefined || (when && own(document.fields, when.member) !== when.is)
          ? []
          : [{ document, left: `${member}: for a new resource, the platform ${what}` }],
      ),
    ),
  );
  return [...Map.groupBy(found, ({ left }) => left)].map(([left, those]) => {
    const resources = those.map(({ document }) => addressOf(document));
    const who = those.length === 1 ? `1 document does` : `${those.length} documents do`;
    const message = `${who} not declare ${left}; declare it, because another server may set another value`;
    return { code: "left_to_platform", message, resources };
  });
}
