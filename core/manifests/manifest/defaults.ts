import { type Address, addressKey, parentAddress, parseReference } from "../../model/addresses/address.ts";
import { overlayDeclared } from "../../model/fields/overlay.ts";
import type { Fields } from "../../values/json.ts";
import { kinds } from "../../model/kinds/index.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Restriction } from "../../model/addresses/restriction.ts";
import type { FieldSchema } from "../../model/schema/field-schema.ts";
import type { DefaultsDocument, ManifestDocument } from "./document.ts";
import { addressOf, states } from "./layers.ts";
import { fieldsOf, managedOf } from "./validate-defaults.ts";

/** Overlays the defaults of each source on those of earlier sources. Two of one scope and kind in one source are a problem. */
export function layDefaults(layers: readonly (readonly DefaultsDocument[])[]) {
  const byKey = new Map<string, DefaultsDocument>();
  const problems: Problem[] = [];
  for (const layer of layers) {
    const seen = new Map<string, DefaultsDocument>();
    for (const document of layer) {
      const key = `${addressKey(scopeOf(document))} ${document.for?.slug ?? "*"}`;
      const first = seen.get(key);
      if (first) problems.push(declaredTwice(first, document));
      const below = byKey.get(key);
      byKey.set(key, below ? layOverDefaults(below, document) : document);
      seen.set(key, document);
    }
  }
  return { defaults: [...byKey.values()], problems };
}

/** The schema of defaults. For every kind, a field has its schema only if all kinds agree; others are overlaid as a whole. */
export function schemaOfDefaults({ for: kind }: Pick<DefaultsDocument, "for">): FieldSchema {
  if (kind) return kind.fields;
  const parts = kinds.flatMap(({ fields }) =>
    Object.entries(fields.properties ?? {}).filter(([, inner]) => inner.part),
  );
  return { properties: Object.fromEntries(parts) };
}

function layOverDefaults(base: DefaultsDocument, top: DefaultsDocument): DefaultsDocument {
  const schema = schemaOfDefaults(top);
  return {
    ...top,
    fields: overlayDeclared(schema, base.fields, top.fields),
    manage: { ...base.manage, ...top.manage },
    position: (path) => (states({ ...top.fields, manage: top.manage }, path) ? top : base).position(path),
  };
}

/** Completes a document with the defaults of its environment, then its project; those for its kind come first. */
export function withDefaults(
  document: ManifestDocument,
  defaults: readonly DefaultsDocument[],
): ManifestDocument {
  const { kind } = document;
  const layers = relevantDefaults(addressOf(document), defaults);
  if (layers.length === 0) return document;
  const base = layers.reduce<Fields>(
    (fields, layer) => overlayDeclared(kind.fields, fields, layer.fields),
    {},
  );
  const stating = (path: readonly (string | number)[]) =>
    layers.findLast(({ fields, manage }) => states({ ...fields, manage }, path));
  return {
    ...document,
    fields: overlayDeclared(kind.fields, base, document.fields),
    manage: Object.assign({}, ...layers.map(({ manage }) => manage), document.manage),
    position(path) {
      const { fields, manage } = document;
      const isOwn = path.length === 0 || states({ ...fields, manage }, path);
      return (isOwn ? document : (stating(path) ?? document)).position(path);
    },
  };
}

/** The defaults for a resource, with the fields of its kind, the most specific last. */
export function relevantDefaults(
  address: Address,
  defaults: readonly DefaultsDocument[],
): DefaultsDocument[] {
  const { kind } = address;
  return defaults
    .filter((one) => (one.for ?? kind) === kind && isInside(address, scopeOf(one)))
    .toSorted((left, right) => weight(left) - weight(right))
    .map((one) => ({
      ...one,
      fields: fieldsOf(kind, one.fields),
      manage: one.for ? one.manage : (managedOf(kind, one.manage) as typeof one.manage),
    }));
}

/** Defaults as a restriction, which is reported if it matches nothing that is declared. */
export function restrictionOf(defaults: DefaultsDocument): Restriction {
  const { scope, for: kind } = defaults;
  return {
    title: `the Defaults document of ${scope.reference} for ${kind ? kind.name : "every kind"}`,
    position: defaults.position([]),
    matches: ({ kind: { slug }, names }) => {
      const its = kinds.find((each) => each.slug === slug);
      return its !== undefined && relevantDefaults({ kind: its, names: [...names] }, [defaults]).length > 0;
    },
  };
}

function scopeOf({ scope }: DefaultsDocument): Address {
  return { kind: scope.kind, names: parseReference(scope.reference) };
}

function isInside(address: Address, scope: Address): boolean {
  const parent = parentAddress(address);
  if (!parent) return false;
  return addressKey(parent) === addressKey(scope) || isInside(parent, scope);
}

/** Defaults with a narrower scope or for one kind are overlaid later. */
function weight({ scope, for: kind }: DefaultsDocument): number {
  return 2 * scope.kind.depth + (kind ? 1 : 0);
}

function declaredTwice(first: DefaultsDocument, second: DefaultsDocument): Problem {
  const place = first.position([]);
  const ofWhich = second.for ? `the kind ${second.for.name}` : "every kind";
  return {
    code: "duplicate",
    message: `the defaults of ${second.scope.reference} for ${ofWhich} are declared twice, first at ${place.file}:${place.line}:${place.column}`,
    advice: "merge the two documents",
    position: second.position([]),
  };
}
