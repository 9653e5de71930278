import { expect, test } from "vitest";
import type { FieldSchema } from "../../../../core/model/schema/field-schema.ts";
import { kinds, kindsInside, pathNamesParent } from "../../../../core/model/kinds/index.ts";

test.each(kinds.filter((kind) => kindsInside(kind).length > 0))(
  "the path of a $name does not name its parent, because whoever reads its contents does not know that",
  (kind) => {
    expect(pathNamesParent(kind)).toBe(false);
  },
);

test.each(kinds)("each secret of a $name has a version", ({ fields }) => {
  const hides = ({ properties = {} }: FieldSchema) =>
    Object.values(properties).some(({ hiddenWhen }) => hiddenWhen !== undefined);
  const secretsIn = ({ properties = {} }: FieldSchema): FieldSchema[] =>
    Object.values(properties)
      .map((inner) => inner.items ?? inner)
      .flatMap((inner) => (inner.part ? [] : inner.secret || hides(inner) ? [inner] : secretsIn(inner)));
  for (const secret of secretsIn(fields)) expect(secret.properties?.["version"]).toBeDefined();
});

test.each(kinds)("the path of a $name names its id", ({ requests }) => {
  expect(requests.one("own", "parent")).toContain("/own");
});
