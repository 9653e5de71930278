import type { FieldSchema, Kind } from "../../../core/model/kinds/index.ts";
import { mayRefer } from "../../../core/model/fields/references.ts";
import { type Json, once } from "../../../core/values/json.ts";
import { tokenOf } from "../../../provider/plugin/types.ts";
import {
  inputSchema,
  isSecret,
  programSchema,
  reportedOutputs,
  shownOutput,
} from "../../../provider/lifecycle/index.ts";

/** A type or a property in the schema of a Pulumi package. */
export type Spec = { [member: string]: Json };

/** Whether a value is declared by a program, or given to one: references are names or `{id, name}` there, and `{id, name}` here. */
export type TypeDirection = "input" | "output";

const referenceType = "Reference";

export class PackageTypes {
  readonly #types = new Map<string, Spec>();

  get specs(): Record<string, Spec> {
    return Object.fromEntries([...this.#types].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }

  /**
   * The properties of an object.
   *
   * @param owner the name of what has them, for the names of the types inside: `Job`
   */
  properties(
    owner: string,
    members: Record<string, FieldSchema>,
    direction: TypeDirection,
  ): Record<string, Spec> {
    return Object.fromEntries(
      Object.entries(members).map(([member, schema]) => [
        member,
        {
          ...this.#typeOf(`${owner}${typeName(member, schema)}`, schema, direction),
          ...(documentation(schema) !== undefined && { description: documentation(schema) ?? "" }),
          ...(schema.immutable !== undefined && direction === "input" && { willReplaceOnChanges: true }),
          ...(isSecret(schema) && { secret: true }),
        },
      ]),
    );
  }

  object(name: string, spec: Spec): Spec {
    return this.#referTo(name, () => ({ type: "object", ...spec }));
  }

  #typeOf(name: string, schema: FieldSchema, direction: TypeDirection): Spec {
    const { items, properties, entries, opaque, reference } = schema;
    if (reference !== undefined) {
      const type = this.#referTo(referenceType, referenceSpec);
      return direction === "input" ? { oneOf: [{ type: "string" }, type] } : type;
    }
    if (items) return { type: "array", items: this.#typeOf(name, items, direction) };
    if (entries) return { type: "object", additionalProperties: this.#entryType(name, entries, direction) };
    if (opaque && schema.type === undefined) return anything;
    if (opaque || (schema.type === "object" && !properties)) return freeObject;
    if (properties) return this.#objectType(name, schema, direction);
    // An input of another resource, which takes any text, takes this output too.
    return schema.enum && direction === "input"
      ? this.#choice(name, schema.enum)
      : { type: schema.type ?? "string" };
  }

  #entryType(name: string, entry: FieldSchema, direction: TypeDirection): Spec {
    const type = this.#typeOf(name, entry, direction);
    return direction === "input" && entry.short !== undefined ? { oneOf: [{ type: "string" }, type] } : type;
  }

  /** The type of an object: one for both directions where it has neither references nor words. */
  #objectType(name: string, schema: FieldSchema, direction: TypeDirection): Spec {
    const { properties = {}, required = [], needs = [], description } = schema;
    const isTwofold = direction === "output" && (mayRefer(schema) || hasWords(schema));
    const token = isTwofold ? `${name}Info` : name;
    return this.#referTo(token, () => ({
      type: "object",
      ...(description !== undefined && { description }),
      properties: this.properties(name, properties, direction),
      ...listed("required", direction === "input" ? required : [...new Set([...required, ...needs])]),
    }));
  }

  /** A text, or one of the words: a program can also state a text that it has got elsewhere. */
  #choice(name: string, words: readonly Json[]): Spec {
    const type = this.#referTo(name, () => ({
      type: "string",
      enum: words.map((value) => ({ name: wordsOf(String(value)), value })),
    }));
    return { type: "string", oneOf: [{ type: "string" }, type] };
  }

  #referTo(name: string, spec: () => Spec): Spec {
    const token = tokenOf(name);
    if (!this.#types.has(token)) {
      // Reserves the place for types that contain themselves.
      this.#types.set(token, {});
      this.#types.set(token, spec());
    }
    return { $ref: `#/types/${token}` };
  }
}

/** Whether a value of a schema can have one of some words in it: programs declare a text or one of them, and get a text. */
const hasWords = once(
  ({ enum: words, properties = {}, entries, items }: FieldSchema): boolean =>
    words !== undefined ||
    [...Object.values(properties), entries, items].some((inner) => inner !== undefined && hasWords(inner)),
);

/** The name of a word in programs: `DeploymentStarted` of `DEPLOYMENT_STARTED`. */
function wordsOf(value: string): string {
  return value
    .split("_")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join("");
}

const anything: Spec = { $ref: "pulumi.json#/Any" };
const freeObject: Spec = { type: "object", additionalProperties: anything };

const referenceSpec = (): Spec => ({
  type: "object",
  description:
    "An entry of the organization that a resource refers to: a cluster, a registry, a token, a group.",
  properties: {
    id: { type: "string", description: "Its id." },
    name: { type: "string", description: "Its name; missing where the API reports the id alone." },
  },
  required: ["id"],
});

/** A list of a spec, which has no empty ones. */
export function listed(member: string, names: readonly string[]): Spec {
  return names.length === 0 ? {} : { [member]: [...names] };
}

/** The documentation of a field: its description, its default, the effect of a change. */
export function documentation({
  description,
  default: fallback,
  immutable,
}: FieldSchema): string | undefined {
  const parts = [
    description,
    fallback === undefined ? undefined : `Default: \`${JSON.stringify(fallback)}\`.`,
    immutable && `A change replaces the resource: ${immutable}.`,
  ].filter((part) => part !== undefined && part !== "");
  return parts.length === 0 ? undefined : parts.join(" ");
}

/** `Source` of `source`, `Port` of an element of `ports`. */
export function typeName(property: string, schema: FieldSchema): string {
  const name = property.slice(0, 1).toUpperCase() + property.slice(1);
  return schema.items || schema.entries ? singular(name) : name;
}

/** `Port` of `Ports`, `Access` of `Accesses` and of `Access`. */
export function singular(name: string): string {
  return name.replace(/(?<=ss)es$|(?<!s)s$/, "");
}

/** The outputs of a kind in the order of its documentation, and whether each is always present. */
export function outputMembers(kind: Kind): { property: string; schema: FieldSchema; isAlways: boolean }[] {
  const { properties = {}, needs = [] } = programSchema(kind);
  const { name, ...own } = inputSchema(kind).properties ?? {};
  const parent = kind.parentMember === undefined ? {} : { [kind.parentMember]: own[kind.parentMember] };
  const always = { ...(name && { name }), ...parent, ...reportedOutputs(kind) };
  return [
    ...Object.entries(properties).map(([property, schema]) => ({
      property,
      schema,
      // Nobody can read the secrets of an imported resource.
      isAlways:
        schema.default !== undefined ||
        schema.alwaysAnswered === true ||
        (needs.includes(property) && !schema.secret),
    })),
    ...Object.entries(shownOutput(kind)).map(([property, schema]) => ({ property, schema, isAlways: false })),
    ...Object.entries(always).flatMap(([property, schema]) =>
      schema ? [{ property, schema, isAlways: schema.alwaysAnswered !== false }] : [],
    ),
  ];
}
