import fc from "fast-check";
import { expect, test } from "vitest";
import { kindOf } from "../../../core/kinds/index.ts";
import { formatManifest, parseManifest } from "../../../core/manifest/index.ts";
import { arbitraryManifest } from "./arbitraries.ts";

test("what is written parses back to the same", () => {
  fc.assert(
    fc.property(arbitraryManifest, (manifest) => {
      const { documents, problems } = parseManifest(formatManifest(manifest), "written.yaml");
      expect(problems).toEqual([]);
      expect(documents).toEqual([{ ...manifest, position: expect.any(Function) }]);
    }),
    { numRuns: 500 },
  );
});
