// The shapes of the API (api.yaml, which explains its notation) as validators.
import { readFileSync } from "node:fs";
import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { parse } from "yaml";
import { routes } from "../../emulator/routes.ts";

type Type = string | [Type] | { [member: string]: Type };

export type Validate = (body: unknown) => ErrorObject[];

/** An operation of the API, with the validators of its bodies. */
export interface Operation {
  method: string;
  path: string;
  request?: Validate;
  /** The validator of each status of success; undefined: the response has no JSON body. */
  responses: Map<number, Validate | undefined>;
}

const plainTypes: Record<string, AnySchemaObject> = {
  any: {},
  text: { type: "string" },
  integer: { type: "integer" },
  number: { type: "number" },
  boolean: { type: "boolean" },
};
const formats = new Set(["uuid", "uri", "email", "date-time", "date", "duration", "cron"]);

/** Reads the operations of the API. A literal part of a path comes before a parameter in its place. */
export function readOperations(): Operation[] {
  const text = readFileSync(new URL("api.yaml", import.meta.url), "utf8");
  const { operations, shapes } = parse(text) as {
    operations: Record<string, Record<string, Type>>;
    shapes: Record<string, Type>;
  };
  const ajv = new Ajv({ allErrors: true, strict: false, formats: { ...fullFormats, cron: true } });
  const definitions = Object.entries(shapes).map(([key, type]) => {
    const { name, isNullable } = memberOf(key);
    return [name, schemaOf(type, isNullable)] as const;
  });
  ajv.addSchema({ $id: "api", definitions: Object.fromEntries(definitions) });
  // Compiling all of them takes seconds.
  const validator = (schema: AnySchemaObject): Validate => {
    let compiled: ValidateFunction | undefined;
    return (body) => {
      compiled ??= ajv.compile(schema);
      return compiled(body) ? [] : (compiled.errors ?? []);
    };
  };
  const bodies = new Map(routes.map(({ method, path, body }) => [`${method} ${path}`, body]));
  return Object.entries(operations)
    .map(([operation, { request, ...responses }]) => {
      const [method = "", path = ""] = operation.split(" ");
      const body = request === undefined ? bodies.get(operation) : schemaOf(request);
      return {
        method,
        path,
        ...(body && { request: validator(body) }),
        responses: new Map(
          Object.entries(responses).map(([status, type]) => [
            Number(status),
            type === "none" ? undefined : validator(schemaOf(type)),
          ]),
        ),
      };
    })
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function schemaOf(type: Type, isNullable = false): AnySchemaObject {
  if (isNullable) return { anyOf: [schemaOf(type), { type: "null" }] };
  if (Array.isArray(type)) return { type: "array", items: schemaOf(type[0]) };
  if (typeof type === "object") return schemaOfObject(type);
  if (type.startsWith("=")) return { enum: type.slice(1).split("|") };
  if (formats.has(type)) return { type: "string", format: type };
  return plainTypes[type] ?? { $ref: `api#/definitions/${type}` };
}

function schemaOfObject(type: Record<string, Type>): AnySchemaObject {
  const properties: Record<string, AnySchemaObject> = {};
  const required: string[] = [];
  const schema: AnySchemaObject = { ...(!("$or" in type) && { type: "object" }), properties, required };
  const rules: AnySchemaObject[] = [];
  for (const [key, value] of Object.entries(type)) {
    const { name, isOptional, isNullable } = memberOf(key);
    if (key === "*") schema["additionalProperties"] = schemaOf(value);
    else if (key === "$and") rules.push(...Object.values(value).map((each) => schemaOf(each as Type)));
    else if (key === "$or") schema["anyOf"] = Object.values(value).map((each) => schemaOf(each as Type));
    else if (key.startsWith("$by ")) rules.push(...casesOf(key.slice("$by ".length), Object.entries(value)));
    else {
      properties[name] = schemaOf(value, isNullable);
      if (!isOptional) required.push(name);
    }
  }
  return rules.length > 0 ? { ...schema, allOf: rules } : schema;
}

function casesOf(member: string, cases: [value: string, shape: Type][]): AnySchemaObject[] {
  return [
    { required: [member], properties: { [member]: { enum: cases.map(([value]) => value) } } },
    ...cases.map(([value, shape]) => ({
      if: { properties: { [member]: { const: value } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: schemaOf(shape),
    })),
  ];
}

function memberOf(key: string): { name: string; isOptional: boolean; isNullable: boolean } {
  const [, name = key, signs = ""] = /^(.*?)([?~]*)$/.exec(key) ?? [];
  return { name, isOptional: signs.includes("?"), isNullable: signs.includes("~") };
}
