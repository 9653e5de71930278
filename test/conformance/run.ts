// npm run test:conformance: the emulator against the shapes of the API, and the assumptions of infrasync against it.
// With --server URL, the assumptions against that server: --organization NAME, --allow-cost, -t STORY.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    server: { type: "string" },
    organization: { type: "string" },
    "allow-cost": { type: "boolean" },
    test: { type: "string", short: "t" },
  },
});
const { server, organization, test } = values;
const { status } = spawnSync(
  "npx",
  [
    "vitest",
    "run",
    "--project",
    "conformance",
    ...(server === undefined ? [] : ["--reporter", "verbose", "test/conformance/assumptions/server.test.ts"]),
    ...(test === undefined ? [] : ["-t", test]),
  ],
  {
    stdio: "inherit",
    env: {
      ...process.env,
      ...(server !== undefined && { INFRASYNC_TEST_SERVER: server }),
      ...(organization !== undefined && { INFRASYNC_TEST_ORGANIZATION: organization }),
      ...(values["allow-cost"] && { INFRASYNC_TEST_COSTS: "true" }),
    },
  },
);
process.exitCode = status ?? 1;
