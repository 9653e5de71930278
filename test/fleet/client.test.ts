import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFixture } from "../cli/fixture.ts";
import { inTurn, undeclared } from "../fixtures/service-api.ts";
import { useClient } from "../fixtures/service-client.ts";
import { useFleet } from "./fleet.ts";

const fleet = useFleet(useFixture({ clock: "real", behaviour: { rate_limit: 0 } }));
const client = useClient();
const wait = { timeout: 90_000, interval: 100 };

test("a client generated from the OpenAPI document waits, pauses, resumes and reads the status of a fleet, each call at another worker; the document declares each answer", async () => {
  await fleet.migrate();
  const commit = fleet.state(["shop"]).get("shop")?.newest() ?? "";
  const token = "the-token-of-the-ci";
  writeFileSync(join(fleet.folder, "ci-token"), token);
  const access = join(fleet.folder, "access.yaml");
  writeFileSync(access, "roles: [{ role: operate, name: ci, token_file: ci-token }]");
  const workers = [
    await fleet.start({}, ["--access-file", access]),
    await fleet.start({}, ["--access-file", access]),
  ];
  const service = await inTurn(workers.map(({ url }) => url));
  const headers = { authorization: `Bearer ${token}` };
  const isKnown = async () => (await fetch(`${service.url}/sources/shop/status.json`, { headers })).status;
  await expect.poll(isKnown, wait).toBe(200);
  const answer = JSON.parse(await client.run("many.ts", service.url, token, commit)) as { journal: string[] };
  expect(answer).toMatchObject({
    paused: 200,
    reason: expect.stringContaining("a release"),
    again: 409,
    refused: 401,
    audit: [{ type: "refused" }, { type: "requested" }, { type: "requested" }],
  });
  expect(answer.journal).toContain("applied");
  for (const path of ["/status.json", "/healthz", "/readyz", "/metrics", "/sources/other/status.json"])
    await fetch(service.url + path, { headers });
  await fetch(`${service.url}/sources/shop/requests`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: "{}",
  });
  expect(service.answers.map(undeclared).filter((mistake) => mistake !== "")).toEqual([]);
  const statuses = new Set(service.answers.map(({ status }) => status));
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 409]));
}, 300_000);
