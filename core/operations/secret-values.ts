import { formatPath } from "../model/fields/compare.ts";
import type { Fields } from "../values/json.ts";
import type { FieldSchema } from "../model/schema/field-schema.ts";
import { secretsWithoutSource, withoutPlainSecrets, withSecretValues } from "../secrets/index.ts";
import type { Run } from "./run.ts";
import { OperationError } from "./errors.ts";

/** Reads the value of a secret; from then on, no message of the client shows it. */
export async function secretValue({ client, secrets }: Run, reference: Fields): Promise<string> {
  const value = await secrets.read(reference);
  client.hide(value);
  return value;
}

/** The fields of a resource with the values of its secrets, as a request needs them. Nothing else may keep the result. */
export async function withValues(run: Run, schema: FieldSchema, fields: Fields): Promise<Fields> {
  const [lost] = secretsWithoutSource(schema, fields);
  if (lost)
    throw new OperationError(
      "no_secrets",
      `${formatPath(lost)} is a secret that the API does not show, and this request would lose it: declare it`,
    );
  const complete = await withSecretValues(schema, fields, (reference) => secretValue(run, reference));
  // A program declares values in plain text.
  for (const value of withoutPlainSecrets(schema, complete, "").values.values()) run.client.hide(value);
  return complete;
}
