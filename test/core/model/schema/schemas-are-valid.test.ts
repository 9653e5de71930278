import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { kinds } from "../../../../core/model/kinds/index.ts";
import { documentSchema } from "../../../../core/manifests/manifest/index.ts";

test.each(kinds)("the schema of $name is a valid JSON Schema", (kind) => {
  const ajv = new Ajv({ strict: false });
  expect(ajv.validateSchema(documentSchema(kind)), ajv.errorsText()).toBe(true);
});
