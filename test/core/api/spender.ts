// A process that sends requests with its own client: node spender.ts URL COUNT
import { createWritingClient as createClient } from "../../../core/api/client.ts";

const [url = "", count = "0"] = process.argv.slice(2);
const client = createClient({ baseUrl: url, token: "shared", onQuota: "wait" });
const requests = Array.from({ length: Number(count) }, async (_none, number) =>
  number % 2 === 0 ? client.get(`/x/${number}`) : client.post("/x", { process: process.pid, number }),
);
const results = await Promise.allSettled(requests);
const failures = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
console.log(JSON.stringify({ failures, spent: client.spent.total }));
