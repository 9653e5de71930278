import { _, Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import type { FieldSchema } from "../core/model/schema/field-schema.ts";
import type { Formats } from "../core/model/schema/format.ts";

/** A module with ajv's code for a schema: see `CompiledCheck` in core/model/schema/check.ts. */
export function checkCode({ schema, formats }: { schema: FieldSchema; formats: Formats }): string {
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    strictTypes: false,
    strictRequired: false,
    // The code takes its dependencies from `formats` and by `require`.
    code: { source: true, formats: _`formats` },
  });
  for (const [name, { rule }] of Object.entries(formats)) ajv.addFormat(name, rule);
  const code = standalone.default(ajv, ajv.compile(rulesOf(schema)));
  return `import ucs2length from "ajv/dist/runtime/ucs2length.js";
const require = () => ucs2length;
export function check(formats) {
const module = {};
${code}
return module.exports;
}
`;
}

/** The rules of a schema, without its texts for people and its options for the engine. */
function rulesOf(schema: FieldSchema): FieldSchema {
  const { type, format, required, properties, additionalProperties, items } = schema;
  const { minimum, maximum, minItems, maxItems, minLength, maxLength } = schema;
  const rules = {
    type: type && schema.nullable ? [type, "null"] : type,
    enum: schema.enum,
    format,
    required,
    minimum,
    maximum,
    minItems,
    maxItems,
    minLength,
    maxLength,
    properties:
      properties &&
      Object.fromEntries(Object.entries(properties).map(([member, inner]) => [member, rulesOf(inner)])),
    additionalProperties:
      typeof additionalProperties === "object" ? rulesOf(additionalProperties) : additionalProperties,
    items: items && rulesOf(items),
  };
  return Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined));
}
