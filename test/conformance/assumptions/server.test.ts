import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../../core/api/index.ts";
import { createClient } from "../../../core/index.ts";
import { findOrganization } from "../../../core/state/organization.ts";
import type { Emulator } from "../../../emulator/index.ts";
import { connectionTo, prefix, startServer } from "./played.ts";
import { removeLeftovers, StoryRun } from "./run.ts";
import { type Connection, scopes } from "./server.ts";
import type { Leftover } from "./stage.ts";
import { cases } from "./cases/index.ts";

// `npm run test:conformance -- --server URL` sets these; without them, a server of the tests is asked.
const {
  INFRASYNC_TEST_SERVER: baseUrl,
  INFRASYNC_TEST_ORGANIZATION: organization,
  INFRASYNC_TEST_COSTS: costs,
  INFRASYNC_TOKEN: own = "",
} = process.env;
const tokens = Object.fromEntries(
  scopes.flatMap((scope) => {
    const token = process.env[`INFRASYNC_TEST_${scope.toUpperCase()}_TOKEN`];
    return token === undefined ? [] : [[scope, token]];
  }),
);

const chosen = cases.filter(
  (one) =>
    baseUrl === undefined ||
    ((costs !== undefined || !one.costs) && (!one.takesScopes || scopes.every((scope) => tokens[scope]))),
);

// A clone or a deletion may take two minutes.
const patience = 600_000;
let run: StoryRun;
let emulator: Emulator | undefined;

beforeAll(async () => {
  const place = await findPlace();
  for (const leftover of await removeLeftovers(place.connection, place)) refuseLeft(leftover);
  run = await StoryRun.start(place.connection, chosen, place);
}, patience);

afterAll(async () => {
  refuseLeft(await run.end());
  await emulator?.close();
}, patience);

test.each(chosen)("$name: $assumption", { timeout: patience }, async (one) => {
  const { result, seen } = await run.check(one);
  expect(result, `${seen}. ${result === "differs" ? one.otherwise : ""}`).toBe("as assumed");
});

/** @throws Error if something could not be removed */
function refuseLeft(left: Leftover | undefined): void {
  if (left?.reason !== undefined) throw new Error(`the ${left.noun} ${left.name} is left: ${left.reason}`);
}

async function findPlace(): Promise<{ connection: Connection; organizationId: string; prefix: string }> {
  if (baseUrl === undefined) {
    const started = await startServer();
    ({ emulator } = started);
    return { connection: started.connection, organizationId: started.emulator.organization.id, prefix };
  }
  const client = createClient({ baseUrl, token: own, onQuota: "fail" });
  const { id: organizationId } = await findOrganization(client, organization);
  return { connection: connectionTo(baseUrl, { own, ...tokens }, systemClock), organizationId, prefix };
}
