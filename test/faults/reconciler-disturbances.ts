import type { Fields } from "../../core/values/json.ts";
import type { Harness } from "../fixtures/harness.ts";

let strangers = 0;

/**
 * Somebody else changes something: a field, a whole job, or one more job. Gives how much.
 *
 * @param silently the share of these changes that no event tells
 */
export async function disturbServer(server: Harness, random: () => number, silently = 0): Promise<number> {
  // The server may fail for them as well.
  const everything = await server.everything().catch(() => new Map<string, Fields>());
  const jobs = [...everything].filter(([name]) => name.startsWith("shop/") && name.includes("/JOB "));
  const [, job] = jobs[Math.floor(random() * jobs.length)] ?? [];
  if (!job) return 0;
  const chance = random();
  const method = chance < 0.6 ? "PUT" : chance < 0.8 ? "DELETE" : "POST";
  if (random() < silently)
    await server.api("POST", "/_emulator/faults", [
      { method, path: method === "POST" ? "/job/*/clone" : "/job/*", events: "missing", times: 1 },
    ]);
  try {
    await change(server, method, job, random);
    return 1;
  } catch {
    // The server may fail for them as well.
    return 0;
  }
}

async function change(server: Harness, method: string, job: Fields, random: () => number): Promise<void> {
  const path = `/job/${String(job["id"])}`;
  if (method === "PUT") await server.api("PUT", path, { ...job, cpu: 100 + Math.floor(random() * 100) });
  else if (method === "DELETE") await server.api("DELETE", path);
  else
    await server.api("POST", `${path}/clone`, {
      name: `stranger-${(strangers += 1)}`,
      environment_id: await server.idOf("shop/staging"),
    });
}

/** Ends all faults, and gives how many requests met one. */
export async function endFaults(server: Harness): Promise<number> {
  const { results = [] } = (await server.api("GET", "/_emulator/faults")) as { results?: { hits: number }[] };
  await server.api("DELETE", "/_emulator/faults");
  return results.reduce((sum, { hits }) => sum + hits, 0);
}
