import type { Emulator } from "../../emulator/index.ts";

const headers = { "content-type": "application/json", "x-emulator-control": "1" };

/** Calls a control operation of the emulator, such as that of the clock. */
export async function control({ url }: Emulator, what: string, body: object): Promise<void> {
  await fetch(`${url}/_emulator/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Returns the result of a piece of work, and the number of requests that the emulator received during the work. */
export async function countRequests<Result>(
  { url }: Emulator,
  work: () => Promise<Result>,
): Promise<{ result: Result; requests: number }> {
  await fetch(`${url}/_emulator/requests`, { method: "DELETE", headers });
  const result = await work();
  const answer = await fetch(`${url}/_emulator/requests`, { headers });
  const { total } = (await answer.json()) as { total: number };
  return { result, requests: total };
}
