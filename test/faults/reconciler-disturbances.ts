import type { Fields } from "../../core/json.ts";
import type { Harness } from "../fixtures/harness.ts";

let strangers = 0;

/** Somebody else changes something: a field, a whole job, or one more job; sometimes without an event. Gives how much. */
export async function disturbServer(server: Harness, random: () => number): Promise<number> {
  // The server may fail for them as well.
  const everything = await server.everything().catch(() => new Map<string, Fields>());
  const jobs = [...everything].filter(([name]) => name.startsWith("shop/") && name.includes("/JOB "));
  const [, job] = jobs[Math.floor(random() * jobs.length)] ?? [];
  if (!job) return 0;
  const chance = random();
  const method = chance < 0.6 ? "PUT" : chance < 0.8 ? "DELETE" : "POST";
  // The rotation finds what no event tells, within an hour.
  if (random() < 0.2)
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
