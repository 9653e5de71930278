import { join } from "node:path";
import { expect, test } from "vitest";
import { shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

test.each<[string, (folder: string) => string[]]>([
  ["plan", (folder) => ["plan", folder]],
  ["list --unmanaged", (folder) => ["list", "--unmanaged", folder]],
  ["dump --update", (folder) => ["dump", "--update", folder, "--dry-run"]],
  ["dump --out", (folder) => ["dump", "--out", folder]],
  ["dump --out, of a file", (folder) => ["dump", "--out", join(folder, "new.yaml")]],
])("%s asks the settings of its folder, wherever it runs", async (_what, args) => {
  const folder = join(fixture.folder, "m");
  await fixture.write("m/shop.yaml", shop);
  await fixture.write("m/infrasync.config.yaml", "organization: of-the-manifests\n");
  const { stderr } = await fixture.run(args(folder));
  expect(stderr).toContain("of-the-manifests");
});
