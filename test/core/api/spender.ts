// A process that sends requests with its own client: node spender.ts URL COUNT
import { createWritingClient as createClient } from "../../../core/api/client.ts";
import { RateLimitedError } from "../../../core/api/errors.ts";

const [url = "", count = "0"] = process.argv.slice(2);
const client = createClient({ baseUrl: url, token: "shared", onQuota: "wait" });
const requests = Array.from({ length: Number(count) }, async (_none, number) =>
  number % 2 === 0 ? client.get(`/x/${number}`) : post({ process: process.pid, number }),
);
const results = await Promise.allSettled(requests);
const failures = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
console.log(JSON.stringify({ failures, spent: client.spent.total }));

/** Like a write, which looks before it repeats: here, a 429 says that nothing was done. */
async function post(body: object): Promise<unknown> {
  try {
    return await client.post("/x", body);
  } catch (error) {
    if (error instanceof RateLimitedError) return post(body);
    throw error;
  }
}
