import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { packageSchema } from "../../../provider/plugin/schema.ts";
import { packageVersion } from "../../../provider/plugin/types.ts";

const checkout = path.join(import.meta.dirname, "..", "..", "..");
test("the logo of the package is in the repository", () => {
  const schema = packageSchema(packageVersion()) as { logoUrl: string };
  const [, file = ""] = schema.logoUrl.split(`/raw/v${packageVersion()}/`);
  expect(readFileSync(path.join(checkout, file)).subarray(1, 4).toString()).toBe("PNG");
});
