import { article } from "../../values/text.ts";
import {
  type Address,
  addressKey,
  describeAddress,
  formatAddress,
  parseReference,
} from "../../model/addresses/address.ts";
import { overlayDeclared } from "../../model/fields/overlay.ts";
import { type Json, valueAt } from "../../values/json.ts";
import type { Problem } from "../../problems/problem.ts";
import type { ManifestDocument } from "./document.ts";
import { manifestMembers } from "./members.ts";

/** Overlays the documents of each source on those of earlier sources. Two of one address in one source stay two. */
export function layDocuments(layers: readonly (readonly ManifestDocument[])[]) {
  const documents = new Map<string, ManifestDocument>();
  const repeated: ManifestDocument[] = [];
  const problems: Problem[] = [];
  for (const layer of layers) {
    const below = new Map(documents);
    const places = new Map([...below.values()].map((document) => [placeOf(document), document]));
    const seen = new Set<string>();
    for (const document of layer) {
      const key = addressKey(addressOf(document));
      if (seen.has(key)) {
        repeated.push(document);
        continue;
      }
      seen.add(key);
      const base = below.get(key);
      if (document.removes) {
        if (base) documents.delete(key);
        else problems.push(nothingToRemove(document));
        places.delete(placeOf(document));
        continue;
      }
      const other = places.size === 0 ? undefined : places.get(placeOf(document));
      if (other && other.kind !== document.kind && !base) problems.push(changesKind(document, other));
      documents.set(key, base ? layOver(base, document) : document);
    }
  }
  return { documents: [...documents.values(), ...repeated], problems };
}

/** Overlays a document on another of the same address. A member has its position in the last document with it. */
export function layOver(base: ManifestDocument, top: ManifestDocument): ManifestDocument {
  const { kind, name, parent, clone = base.clone } = top;
  return {
    kind,
    name,
    parent,
    clone,
    fields: overlayDeclared(kind.fields, base.fields, top.fields),
    manage: { ...base.manage, ...top.manage },
    position: (path) =>
      (states({ ...manifestMembers(top), ...top.fields }, path) ? top : base).position(path),
  };
}

export function states(value: object, path: readonly (string | number)[]): boolean {
  return valueAt(value as Json, path) !== undefined;
}

export function addressOf({
  kind,
  parent,
  name,
}: Pick<ManifestDocument, "kind" | "parent" | "name">): Address {
  return { kind, names: [...(parent === undefined ? [] : parseReference(parent)), name] };
}

/** Equal for documents of one parent and name, of any kind. */
function placeOf(document: ManifestDocument): string {
  const { kind, names } = addressOf(document);
  return `${kind.parentMember ?? ""} ${addressKey({ kind, names }).slice(kind.slug.length)}`;
}

function nothingToRemove(document: ManifestDocument): Problem {
  return overlayProblem(
    document,
    "$remove",
    "cannot be removed: no earlier source declares it",
    "correct the name, remove the document, or name this source after the source that declares the resource",
  );
}

function changesKind(document: ManifestDocument, { kind: { name }, position }: ManifestDocument): Problem {
  const { file, line } = position(["kind"]);
  return overlayProblem(
    document,
    "kind",
    `is ${article(name)} at ${file}:${line}; an overlay cannot change the kind`,
    `write kind: ${name}, or remove the ${name} first with $remove: true`,
  );
}

function overlayProblem(document: ManifestDocument, member: string, what: string, advice: string): Problem {
  const address = addressOf(document);
  return {
    code: "overlay",
    message: `${describeAddress(address)} ${what}`,
    advice,
    position: document.position([member]),
    address: formatAddress(address),
  };
}
