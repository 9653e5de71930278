import fc from "fast-check";
import type { Fields, Json } from "../../../core/json.ts";
import { application } from "../../../core/kinds/application.ts";
import { environment } from "../../../core/kinds/environment.ts";
import { job } from "../../../core/kinds/job.ts";
import { elementKey } from "../../../core/schema/elements.ts";
import { type Catalogue, type FieldSchema, type Kind } from "../../../core/kinds/index.ts";

/** Names that the emulator's organization has. */
const names: Record<Catalogue, string[]> = {
  cluster: ["eu-west", "us-east"],
  containerRegistry: ["docker-hub", "ecr-production"],
  gitToken: ["github-main"],
  annotationsGroup: ["team-annotations"],
  labelsGroup: ["team-labels"],
  helmRepository: ["bitnami", "charts"],
};

const texts: Record<string, string[]> = {
  cron: ["0 3 * * *", "*/5 * * * *", "15 4 1 * 1"],
  "time-zone": ["Europe/Paris", "UTC", "America/New_York"],
  uri: ["app://icon", "https://example.com/icon.svg"],
  uuid: ["6d2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b", "7e2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b"],
};

/** Values of members that a server refuses outside of a range, or only together. */
const samples: Record<string, number[]> = {
  cpu: [100, 500, 1000],
  memory: [128, 512, 2048],
  gpu: [0, 1],
  min_running_instances: [0, 1],
  max_running_instances: [-1, 2, 10],
};

/** `complete`: what a creation needs is there; `partial`: anything may be left out, and what can be reset may be null. */
export type Extent = "complete" | "partial";

/** Fields that the schema of a kind allows, every one of them with some chance. */
export function arbitraryFields(
  kind: Kind,
  extent: Extent,
  immutable: "with" | "without" = "with",
): fc.Arbitrary<Fields> {
  return arbitraryObject(kind.fields, extent, immutable, kind.fields).map(
    (fields) => kind.complete?.(fields) ?? fields,
  );
}

function arbitraryObject(
  schema: FieldSchema,
  extent: Extent,
  immutable: "with" | "without",
  top?: FieldSchema,
): fc.Arbitrary<Fields> {
  const groups = schema.alternatives ?? [];
  // An alternative that is new has to be complete, and one that is there must not be taken away.
  const inside = groups.length > 0 || (schema.needs && schema !== top) ? "complete" : extent;
  const choice = groups.length > 0 ? fc.nat({ max: groups.length - 1 }) : fc.constant(-1);
  return choice.chain((chosen) => {
    const dropped = new Set(groups.flatMap((group, index) => (index === chosen ? [] : group)));
    const needed = new Set([
      ...(schema.needs ?? []),
      ...(schema.required ?? []),
      ...(extent === "complete" ? oneNeeded(schema, groups[chosen]) : []),
    ]);
    const members = Object.entries(schema.properties ?? {}).filter(
      ([member, memberSchema]) =>
        !dropped.has(member) &&
        (immutable === "with" || (!memberSchema.immutable && !memberSchema.immutableAlternative)),
    );
    const requiredKeys = members
      .map(([member]) => member)
      .filter((member) => needed.has(member) && (inside === "complete" || schema.required?.includes(member)));
    const record = Object.fromEntries(
      members.map(([member, memberSchema]) => [
        member,
        arbitraryMember(withSamples(member, memberSchema), inside, immutable, needed.has(member)),
      ]),
    );
    return fc.record(record, { requiredKeys }) as fc.Arbitrary<Fields>;
  });
}

/** One of the members of which the schema needs one, of the chosen alternative where there are any. */
function oneNeeded(schema: FieldSchema, group: readonly string[] | undefined): string[] {
  return (schema.needsOneOf ?? []).filter((member) => !group || group.includes(member)).slice(0, 1);
}

function withSamples(member: string, schema: FieldSchema): FieldSchema {
  const values = samples[member];
  return values && schema.type === "integer" ? { ...schema, enum: values } : schema;
}

function arbitraryMember(
  schema: FieldSchema,
  extent: Extent,
  immutable: "with" | "without",
  needed: boolean,
): fc.Arbitrary<Json> {
  const value = arbitraryValue(schema, extent, immutable);
  return extent === "partial" && !needed && schema.resettable !== false
    ? fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })
    : value;
}

function arbitraryValue(
  schema: FieldSchema,
  extent: Extent,
  immutable: "with" | "without",
): fc.Arbitrary<Json> {
  if (schema.opaque)
    return fc.dictionary(
      fc.constantFrom("a", "camelCase", "snake_case"),
      typeof schema.additionalProperties === "object"
        ? arbitraryValue(schema.additionalProperties, "complete", "with")
        : fc.constantFrom<Json>(1, "x", true),
    );
  if (schema.reference) return fc.constantFrom(...names[schema.reference]);
  if (schema.enum) return fc.constantFrom(...schema.enum.filter((value) => value !== "PREVIEW"));
  switch (schema.type) {
    case "object":
      return arbitraryObject(schema, extent, immutable);
    case "array":
      return arbitraryList(schema);
    case "integer":
      return fc.constantFrom(
        ...[schema.minimum ?? 0, (schema.minimum ?? 0) + 1, 443, 600].filter(
          (value) => value <= (schema.maximum ?? Infinity),
        ),
      );
    case "boolean":
      return fc.boolean();
    default:
      return schema.format === undefined
        ? fc.constantFrom("a", "release/1.2", "/data")
        : fc.constantFrom(...(texts[schema.format] ?? []));
  }
}

/** New elements have to be complete; those of a set differ in their keys. */
function arbitraryList(schema: FieldSchema): fc.Arbitrary<Json> {
  const items = schema.items ?? {};
  const element = arbitraryValue(items, "complete", "with");
  const options = { minLength: schema.minItems ?? 0, maxLength: schema.maxItems ?? 3 };
  if (!schema.set) return fc.array(element, options);
  return fc.uniqueArray(element, {
    ...options,
    selector: (value) => elementKey(schema, value),
  });
}

/** Manifests of one project with two environments; every document has every member with some chance. */
export const manifests: fc.Arbitrary<Fields[]> = fc
  .record({
    production: arbitraryFields(environment, "complete"),
    staging: arbitraryFields(environment, "complete"),
    jobs: fc.array(arbitraryFields(job, "complete"), { minLength: 1, maxLength: 3 }),
    applications: fc.array(arbitraryFields(application, "complete"), { maxLength: 2 }),
  })
  .map(({ production, staging, jobs, applications }) => [
    { kind: "Project", name: "shop" },
    { kind: "Environment", project: "shop", name: "production", ...production },
    { kind: "Environment", project: "shop", name: "staging", ...staging },
    ...jobs.map((fields, index) => ({
      kind: "Job",
      environment: "shop/production",
      name: `job-${index}`,
      ...fields,
    })),
    ...applications.map((fields, index) => ({
      kind: "Application",
      environment: "shop/production",
      name: `app-${index}`,
      ...fields,
    })),
  ]);
