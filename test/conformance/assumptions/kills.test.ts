import { expect, test } from "vitest";
import { play, prefix, startServer } from "./played.ts";
import { removeLeftovers } from "./run.ts";
import type { Connection } from "./server.ts";
import { cases } from "./cases/index.ts";

const few = new Set(["used-resources-stay", "clones-appear"]);

class Killed extends Error {}

/** The connection of a process that is killed at its request of that number, before or after the server has acted. */
function killedAt(connection: Connection, number: number, isBefore: boolean): Connection {
  let sent = 0;
  return {
    ...connection,
    transport(token) {
      const send = connection.transport(token);
      return (
        send &&
        (async (outgoing) => {
          sent += 1;
          if (sent > number || (sent === number && isBefore)) throw new Killed();
          const reply = await send(outgoing);
          if (sent === number) throw new Killed();
          return reply;
        })
      );
    },
  };
}

test("a run that is killed at any request leaves nothing after the next has begun", async () => {
  const { connection, emulator } = await startServer({ rate_limit: 1_000_000 });
  const { url, tokens, organization } = emulator;
  const chosen = cases.filter(({ name }) => few.has(name));
  const place = { organizationId: organization.id, prefix };
  const projects = `${url}/organization/${organization.id}/project`;
  const headers = { authorization: `Token ${tokens.admin}`, "content-type": "application/json" };
  for (const name of ["conformance-of-somebody-else", "other"])
    await fetch(projects, { method: "POST", headers, body: JSON.stringify({ name }) });
  const labelsGroups = `${url}/organization/${organization.id}/labelsGroups`;
  for (const [name, key] of [
    ["conformance-of-somebody-else", "team"],
    ["other", "infrasync-conformance"],
  ]) {
    const body = { name, labels: [{ key, value: "x", propagate_to_cloud_provider: false }] };
    await fetch(labelsGroups, { method: "POST", headers, body: JSON.stringify(body) });
  }
  const before = await (await fetch(labelsGroups, { headers })).json();
  const { requests } = await play(connection, organization.id, chosen);
  expect(requests).toBeGreaterThan(10);
  let cleaned = 0;
  for (let number = 1; number <= requests; number += 1)
    for (const isBefore of [true, false]) {
      const run = play(killedAt(connection, number, isBefore), organization.id, chosen);
      await expect(run).rejects.toThrow(Killed);
      const removed = await removeLeftovers(connection, place);
      cleaned += removed.length;
      expect(removed.filter(({ reason }) => reason !== undefined)).toEqual([]);
      const { results } = (await (await fetch(projects, { headers })).json()) as {
        results: { name: string }[];
      };
      const groups = await (await fetch(labelsGroups, { headers })).json();
      expect(groups).toEqual(before);
      expect(results.map(({ name }) => name)).toEqual(["conformance-of-somebody-else", "other"]);
    }
  expect(cleaned).toBeGreaterThan(requests);
  await emulator.close();
});
