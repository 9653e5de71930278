// npm run generate: writes every generated file. With --check it writes nothing, and fails when one of them is stale.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { makeChecks } from "./checks.ts";

const generators = [
  "schemas.ts",
  "action.ts",
  "docs/manifest-reference.ts",
  "docs/cli-reference.ts",
  "docs/pulumi-reference.ts",
  "docs/assumptions.ts",
  "docs/kind-words.ts",
  "docs/metrics.ts",
  "docs/counts.ts",
  "picture/record.ts",
];

await makeChecks();
const failed = generators.filter((generator) => {
  const { status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, generator), ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  return status !== 0;
});
if (failed.length > 0) {
  console.error(`stale or failed: ${failed.join(", ")}; run \`npm run generate\``);
  process.exitCode = 1;
}
