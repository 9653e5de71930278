import { Ajv, type ValidateFunction } from "ajv";
import { annotations, type FieldSchema, type Kind } from "../kinds/index.ts";
import { formatsFor } from "./formats.ts";

/** Makes the validators of the kinds, each when it is first asked for. They keep the data in their errors. */
export function validatorsFor(schemaOf: (kind: Kind) => FieldSchema): (kind: Kind) => ValidateFunction {
  const validators = new Map<Kind, ValidateFunction>();
  return (kind) => {
    let validator = validators.get(kind);
    if (!validator) {
      const ajv = new Ajv({ allErrors: true, strict: true, verbose: true });
      ajv.addVocabulary([...annotations]);
      for (const [name, { rule }] of Object.entries(formatsFor(kind))) ajv.addFormat(name, rule);
      validator = ajv.compile(schemaOf(kind));
      validators.set(kind, validator);
    }
    return validator;
  };
}
