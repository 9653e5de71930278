import { join } from "node:path";
import { expect, test } from "vitest";
import { shop } from "../../fixtures/manifests.ts";
import { asFile, type StateEntry } from "../../fixtures/terraform-state.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();
const job: StateEntry = {
  type: "qovery_job",
  name: "a",
  attributes: { id: "7e2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b" },
};

test.each<[string, (folder: string, state: string) => string[]]>([
  ["plan", (folder) => ["plan", folder]],
  ["list --undescribed", (folder) => ["list", "--undescribed", folder]],
  ["dump --update", (folder) => ["dump", "--update", folder, "--dry-run"]],
  ["dump --out", (folder) => ["dump", "--out", folder]],
  ["dump --out, of a file", (folder) => ["dump", "--out", join(folder, "new.yaml")]],
  ["convert --out", (folder, state) => ["convert", state, "--out", join(folder, "new")]],
])("%s asks the settings of its folder, wherever it runs", async (_what, args) => {
  const folder = join(fixture.folder, "m");
  const state = await fixture.write("terraform.tfstate", asFile([job]));
  await fixture.write("m/shop.yaml", shop);
  await fixture.write("m/infrasync.config.yaml", "organization: of-the-manifests\n");
  const { stderr } = await fixture.run(args(folder, state));
  expect(stderr).toContain("of-the-manifests");
});
