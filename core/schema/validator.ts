import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { Json } from "../json.ts";
import { annotations, type FieldSchema } from "./field-schema.ts";
import type { Formats } from "./formats.ts";

/** Finds the errors in a value, in the form of the validator. */
export type Check = (value: Json) => ErrorObject[];

/** Compiles the check of each subject when it is first needed. Errors contain the schema and the value. */
export function checksFor<Subject>(
  schemaOf: (subject: Subject) => FieldSchema,
  formatsOf: (subject: Subject) => Formats,
): (subject: Subject) => Check {
  const checks = new Map<Subject, Check>();
  return (subject) => {
    let check = checks.get(subject);
    if (!check) {
      const validate = compile(schemaOf(subject), formatsOf(subject));
      check = (value) => (validate(value) ? [] : toThePoint(validate.errors ?? []));
      checks.set(subject, check);
    }
    return check;
  };
}

function compile(schema: FieldSchema, formats: Formats): ValidateFunction {
  // A run of a few documents spends most of its time on compiling. Compiling the meta-schema takes longer than
  // compiling ours (a test checks ours against it), and optimized code pays only after thousands of documents.
  const quick = { meta: false, validateSchema: false, code: { optimize: false } };
  const ajv = new Ajv({ allErrors: true, strict: true, verbose: true, ...quick });
  ajv.addVocabulary([...annotations]);
  for (const [name, { rule }] of Object.entries(formats)) ajv.addFormat(name, rule);
  return ajv.compile(schema);
}

/** A value of the wrong type also breaks other rules; those errors are left out. */
function toThePoint(errors: readonly ErrorObject[]): ErrorObject[] {
  const ofWrongType = new Set(
    errors.filter(({ keyword }) => keyword === "type").map(({ instancePath }) => instancePath),
  );
  return errors.filter(({ keyword, instancePath }) => keyword === "type" || !ofWrongType.has(instancePath));
}
