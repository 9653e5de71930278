import { describe, expect, test } from "vitest";
import { compare } from "../../../../core/model/fields/compare.ts";
import { lossesIn, lostBy } from "../../../../core/model/fields/losses.ts";
import type { Fields, Json } from "../../../../core/values/json.ts";
import { type Kind, kinds } from "../../../../core/model/kinds/index.ts";
import { wordsFor } from "../../../../core/model/loss.ts";
import type { FieldSchema } from "../../../../core/model/schema/field-schema.ts";

// Every field of every kind says what a change takes for good: the table is made of the descriptions, by changing one field at
// a time. A new field is a new line: look at what it loses, and add `loses` to its description if the line says too little.

/** A field, and the fields of a resource that have one value in it. */
interface Sample {
  path: string;
  schema: FieldSchema;
  of(value: Json): Fields;
}

/** Every field that has a value of its own, those inside objects and elements too. Parts with keys are listed by the server. */
function samplesIn(schema: FieldSchema, path: string, of: Sample["of"]): Sample[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, inner]): Sample[] => {
    const own = { path: `${path}.${member}`, schema: inner, of: (value: Json) => of({ [member]: value }) };
    if (inner.place === "engine" || inner.neverShown || (inner.part && !inner.properties)) return [];
    if (inner.secret || inner.opaque) return [own];
    if (inner.properties) return [...(inner.loses ? [own] : []), ...samplesIn(inner, own.path, own.of)];
    const { items } = inner;
    if (!items?.properties || !inner.set) return [own];
    const key = Object.fromEntries(
      inner.set.map((name) => [name, valueOf(items.properties?.[name] ?? {}, 1)]),
    );
    const element = (value: Json) => own.of([{ ...key, ...(value as Fields) }]);
    const inside = samplesIn(items, `${own.path}[]`, element);
    return [own, ...inside.filter(({ path: at }) => !inner.set?.some((name) => at.endsWith(`[].${name}`)))];
  });
}

function valueOf(schema: FieldSchema, index: 1 | 2): Json {
  if (schema.secret || schema.opaque) return {};
  if (schema.reference !== undefined) return { id: `id-${index}` };
  if (schema.enum) return schema.enum[index % schema.enum.length] ?? null;
  if (schema.type === "integer") return index * 10;
  if (schema.type === "boolean") return index === 2;
  if (schema.type === "string") return String(index * 10);
  const { items, set = [] } = schema;
  if (!items) return {};
  if (!items.properties) return [valueOf(items, index)];
  const hidden = Object.values(items.properties).find(
    ({ hiddenWhen }) => hiddenWhen !== undefined,
  )?.hiddenWhen;
  const sized = Object.entries(items.properties).filter(([, { loses }]) => loses);
  return [
    {
      ...Object.fromEntries(set.map((name) => [name, valueOf(items.properties?.[name] ?? {}, index)])),
      ...(hidden !== undefined && { [hidden]: true }),
      ...Object.fromEntries(sized.map(([name, inner]) => [name, valueOf(inner, index)])),
    },
  ];
}

/** What is lost when a field goes, or gets a smaller value. */
function lineOf(kind: Kind, { path, schema, of }: Sample): string {
  const lost = (before: Fields, after: Fields) =>
    lostBy(kind.fields, compare(kind.fields, before, after)).map(({ key, ...loss }) =>
      wordsFor({ ...loss, name: key }),
    );
  const [less, more] = [of(valueOf(schema, 1)), of(valueOf(schema, 2))];
  const held = lossesIn(kind.fields, more).map(({ key, ...loss }) => wordsFor({ ...loss, name: key }));
  const all = [
    ["less", lost(more, less)],
    ["gone", lost(more, {})],
    ["deleted", held],
  ] as const;
  const reported = all.flatMap(([when, words]) =>
    words.length === 0 ? [] : [`${when}: ${words.join(", ")}`],
  );
  return `${path}  ${reported.length === 0 ? "nothing" : reported.join("; ")}`;
}

test("the table of what a change of each field takes for good", async () => {
  const lines = kinds.flatMap((kind) =>
    samplesIn(kind.fields, kind.name, (value) => value as Fields).map((sample) => lineOf(kind, sample)),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("field-losses.txt");
});

describe("no description forgets what its field holds", () => {
  const fields = kinds.flatMap((kind) =>
    samplesIn(kind.fields, kind.name, (value) => value as Fields).map((sample) => ({ kind, ...sample })),
  );

  test("a number of bytes of storage, unless it is of a disk that ends with its machine", () => {
    const passing = /^(Cluster\.disk_size|.*\.ephemeral_storage_in_gib|Terraform\.job_resources\.\w+)$/;
    const sizes = fields.filter(
      ({ path, schema }) =>
        schema.type === "integer" &&
        (schema.unit === "GB" || schema.unit === "GiB" || /storage|disk|size|_gib$|_gb$/.test(path)) &&
        !path.includes("advanced_settings"),
    );
    const silent = sizes.filter(({ path, schema }) => !schema.loses && !passing.test(path));
    expect(silent.map(({ path }) => path)).toEqual(["Cluster.disk_iops", "Cluster.disk_throughput"]);
    expect(sizes.length).toBeGreaterThan(3);
  });

  test("a secret in any form", () => {
    const secrets = fields.filter(({ schema }) => schema.secret);
    for (const sample of secrets) expect(lineOf(sample.kind, sample)).toMatch(/deleted: the secret /);
    const lists = fields.filter(({ schema }) =>
      Object.values(schema.items?.properties ?? {}).some(({ hiddenWhen }) => hiddenWhen !== undefined),
    );
    for (const sample of lists)
      expect(lineOf(sample.kind, sample)).toMatch(/gone: the secret .*deleted: the secret /);
    expect([secrets.length > 10, lists.length]).toEqual([true, 1]);
  });
});

test("a secret is overwritten by a member that excludes it, and gone if nothing takes its place", () => {
  const lost = (name: string, before: Fields, after: Fields) => {
    const { fields } = kinds.find((kind) => kind.name === name) ?? { fields: {} };
    return lostBy(fields, compare(fields, before, after)).map(({ sort, key }) => `${sort} ${key}`);
  };
  const login = { username: "bot", password: {} };
  const registry = (after: Fields) => lost("ContainerRegistry", { config: login }, after);
  expect(registry({})).toEqual(["value config.password"]);
  expect(registry({ config: { region: "eu" }, description: "no login" })).toEqual(["value config.password"]);
  expect(registry({ config: { username: "bot" } })).toEqual(["value config.password"]);
  expect(registry({ config: { role_arn: "arn" } })).toEqual(["overwritten config.password"]);

  const key = { type: "AWS_STATIC", access_key_id: "AK", secret_access_key: {} };
  const credentials = (after: Fields) => lost("AwsCredentials", key, after);
  expect(credentials({ type: "AWS_ROLE", role_arn: "arn" })).toEqual(["overwritten secret_access_key"]);
  expect(credentials({ type: "AWS_ROLE" })).toEqual(["value secret_access_key"]);
});
