import { expect, test } from "vitest";
import { startWorld } from "../start-world.ts";

interface Line {
  type: string;
  details: { execution_id: string; transmitter: { name: string; type: string } };
  message: { safe_message: string } | null;
  error: { user_log_message: string } | null;
}

test("the logs of an environment tell what its deployments did, one deployment or all of them", async () => {
  const { client, control, job, environmentId, advance } = await startWorld();
  await client.post(`/environment/${environmentId}/job`, job("a"));
  const path = `/environment/${environmentId}/logs`;
  expect(await client.get<Line[]>(path)).toEqual([]);
  await client.post(`/environment/${environmentId}/deploy`);
  expect(await client.get<Line[]>(path)).toHaveLength(2);
  await advance(10_000);
  await control.post("/_emulator/faults", [{ path: "/**/stop", fail_deployment: true }]);
  await client.post(`/environment/${environmentId}/stop`);
  await advance(10_000);
  const lines = await client.get<Line[]>(path);
  expect(
    lines.map(({ type, details, message, error }) =>
      [type, details.transmitter.type, message?.safe_message ?? error?.user_log_message].join(": "),
    ),
  ).toEqual([
    "Info: Environment: deploy of staging requested",
    "Info: Job: deploy of a requested",
    "Info: Environment: staging: DEPLOYED",
    "Info: Environment: stop of staging requested",
    "Info: Job: stop of a requested",
    "Error: Environment: stop of staging failed",
  ]);
  const id = lines[0]?.details.execution_id;
  expect(await client.get<Line[]>(`${path}?version=${id}`)).toEqual(lines.slice(0, 3));
});
