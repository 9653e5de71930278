import fc from "fast-check";
import { formatReference } from "../../../../core/model/addresses/address.ts";
import { elementKey } from "../../../../core/model/schema/elements.ts";
import type { Fields, Json } from "../../../../core/values/json.ts";
import { type FieldSchema, type Kind, kinds } from "../../../../core/model/kinds/index.ts";
import type { ManifestContent } from "../../../../core/manifests/manifest/index.ts";

/** Realistic texts and strange ones. */
const text = fc.oneof(
  fc.constantFrom(
    "",
    "yes",
    "1.10",
    "0x10",
    "null",
    "~",
    "- a",
    "a: b",
    "#c",
    "*a",
    "&a",
    "!a",
    "@",
    "12:30",
    "<<",
    " ",
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.array(fc.string({ maxLength: 8 }), { minLength: 2, maxLength: 5 }).map((lines) => lines.join("\n")),
  fc.lorem({ maxCount: 40 }),
);

const name = fc
  .oneof(
    fc.constantFrom("shop", "a/b", "%2F", "100%", "x y", "123", "yes", "ÄÖ", "💥"),
    fc.string({ unit: "grapheme", maxLength: 12 }),
  )
  .map((candidate) => candidate.trim())
  .filter((candidate) => candidate !== "" && !/\p{Cc}/u.test(candidate));

const texts: Record<string, fc.Arbitrary<string>> = {
  cron: fc.constantFrom("0 3 * * *", "*/5 * * * *", "0 0 1 JAN MON-FRI"),
  "time-zone": fc.constantFrom("UTC", "Europe/Paris", "US/Eastern"),
  uuid: fc.uuid(),
  "environment-variable": fc.constantFrom("SHOP_PASSWORD", "shop.token-2"),
  file: fc.constantFrom("password.txt"),
  sops: fc.constantFrom("secrets.yaml#password", 'a/b.yaml#users[0]["db.password"].value'),
  "date-time": fc.constantFrom("2026-01-01T08:00:00Z", "2026-12-31T23:59:59.5+01:00"),
  name,
  uri: fc.constantFrom("https://example.com/icon.svg", "app://icon"),
};

/** Values that a field accepts, including null where it resets the field. */
function arbitraryValue(schema: FieldSchema): fc.Arbitrary<Json> {
  if (schema.opaque && schema.properties) return arbitraryFields(withoutResets(schema));
  if (schema.opaque)
    return fc.dictionary(
      fc.string({ maxLength: 5 }),
      typeof schema.additionalProperties === "object"
        ? arbitraryValue(schema.additionalProperties)
        : (fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>),
    );
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "integer":
      return fc.integer({ min: schema.minimum ?? -100, max: schema.maximum ?? 10_000 });
    case "boolean":
      return fc.boolean();
    case "array":
      return arbitraryList(schema);
    case "object":
      return arbitraryFields(schema);
    default:
      return (
        texts[schema.format ?? ""] ?? text.filter((candidate) => candidate.length >= (schema.minLength ?? 0))
      );
  }
}

/** The schema of a value that is written as a whole: null resets none of its members. */
function withoutResets({ opaque: _opaque, properties = {}, ...schema }: FieldSchema): FieldSchema {
  const inner = Object.entries(properties).map(([member, each]) => [
    member,
    { ...(each.properties ? withoutResets(each) : each), resettable: false },
  ]);
  return { ...schema, properties: Object.fromEntries(inner) as Record<string, FieldSchema> };
}

function arbitraryList(schema: FieldSchema): fc.Arbitrary<Json> {
  const element = schema.items ? arbitraryValue(schema.items) : fc.constant(null);
  const minLength = schema.minItems ?? 0;
  const maxLength = schema.maxItems ?? 3;
  return schema.set
    ? fc.uniqueArray(element, { minLength, maxLength, selector: (value) => elementKey(schema, value) })
    : fc.array(element, { minLength, maxLength });
}

/** Members that an object accepts: the required ones, some of the others, at most one alternative. */
function arbitraryFields(schema: FieldSchema): fc.Arbitrary<Fields> {
  const groups = schema.alternatives ?? [];
  const required = schema.required ?? [];
  const declared = Object.entries(schema.properties ?? {}).filter(
    ([, { place }]) => (place ?? "document") === "document",
  );
  const entries = declared.map(([member, inner]): [string, fc.Arbitrary<Json>] => {
    const isReset = !required.includes(member) && inner.resettable !== false;
    return [member, isReset ? fc.option(arbitraryValue(inner), { freq: 8 }) : arbitraryValue(inner)];
  });
  const members = fc.record<Fields, string>(Object.fromEntries(entries), { requiredKeys: required });
  const chosen = fc.tuple(members, fc.nat()).map(([fields, choice]) => {
    const dropped = new Set(groups.filter((_group, index) => index !== choice % groups.length).flat());
    const kept = Object.fromEntries(Object.entries(fields).filter(([member]) => !dropped.has(member)));
    return withoutExcess(schema, kept);
  });
  return schema.needsOneOf ? chosen.filter((fields) => Object.keys(fields).length > 0) : chosen;
}

/** Without the members that must not be above another one, where they are. */
function withoutExcess({ properties = {} }: FieldSchema, fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([member, value]) => {
      const { notAbove } = properties[member] ?? {};
      const limit = notAbove === undefined ? undefined : fields[notAbove];
      return typeof value !== "number" || typeof limit !== "number" || limit < 0 || value <= limit;
    }),
  );
}

const reference = (kind: Kind): fc.Arbitrary<string> =>
  fc.array(name, { minLength: kind.depth + 1, maxLength: kind.depth + 1 }).map(formatReference);

/** Manifests of any kind. */
export const arbitraryManifest: fc.Arbitrary<ManifestContent> = fc
  .constantFrom(...kinds)
  .chain((kind) =>
    fc.record({
      kind: fc.constant(kind),
      parent: kind.parent ? reference(kind.parent) : fc.constant(undefined),
      name: kind.names?.format ? fc.emailAddress() : name,
      manage: fc.record({ protect: fc.boolean(), renamed_from: name, id: fc.uuid() }, { requiredKeys: [] }),
      clone: kind.clone
        ? fc.option(fc.record({ from: reference(kind) }), { nil: undefined })
        : fc.constant(undefined),
      fields: arbitraryFields(kind.fields),
    }),
  );
