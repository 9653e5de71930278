import { expect, test } from "vitest";
import { kinds, kindsInside, pathNamesParent } from "../../../core/kinds/index.ts";

test.each(kinds.filter((kind) => kindsInside(kind).length > 0))(
  "the path of a $name does not name its parent, because whoever reads its contents does not know that",
  (kind) => {
    expect(pathNamesParent(kind)).toBe(false);
  },
);

test.each(kinds)("the path of a $name names its id", ({ requests }) => {
  expect(requests.one("own", "parent")).toContain("/own");
});
