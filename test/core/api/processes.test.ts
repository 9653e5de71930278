import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serve } from "../../fixtures/http-server.ts";

const LIMIT = 60;
const PROCESSES = 8;
const EACH = 12;
const WINDOW = 2000;

test("eight processes with one token share its quota, and none of them fails", async () => {
  const accepted = new Map<number, number>();
  const created: string[] = [];
  let refused = 0;
  let arrived = 0;
  const begun = Promise.withResolvers<number>();
  const { url } = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    // The quota counts from the start of all processes, at a full second, because its header has no fractions.
    arrived += 1;
    if (arrived === PROCESSES) {
      const start = Math.ceil(Date.now() / 1000) * 1000;
      setTimeout(begun.resolve, start - Date.now(), start);
    }
    const start = await begun.promise;
    const window = Math.floor((Date.now() - start) / WINDOW);
    const used = accepted.get(window) ?? 0;
    const isOver = used >= LIMIT;
    if (isOver) refused += 1;
    else accepted.set(window, used + 1);
    if (!isOver && request.method === "POST") created.push(body);
    response.writeHead(isOver ? 429 : 200, {
      "x-ratelimit-limit": LIMIT,
      "x-ratelimit-remaining": Math.max(0, LIMIT - used - 1),
      "x-ratelimit-reset": (start + (window + 1) * WINDOW) / 1000,
    });
    response.end("{}");
  });

  const script = fileURLToPath(new URL("spender.ts", import.meta.url));
  const options = { env: { ...process.env, NODE_NO_WARNINGS: "1" } };
  const runs = Array.from({ length: PROCESSES }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script, url, String(EACH)], options);
    return JSON.parse(stdout) as { failures: string[]; spent: number };
  });
  const reports = await Promise.all(runs);

  const total = [...accepted.values()].reduce((sum, count) => sum + count, 0);
  const spent = reports.reduce((sum, report) => sum + report.spent, 0);
  expect(reports.flatMap((report) => report.failures)).toEqual([]);
  expect(total).toBe(PROCESSES * EACH);
  expect(new Set(created).size).toBe((PROCESSES * EACH) / 2);
  expect(created).toHaveLength((PROCESSES * EACH) / 2);
  expect(accepted.get(0)).toBe(LIMIT);
  expect(spent).toBe(total + refused);
  // The server may refuse about as many requests of each process as the process has in progress.
  expect(refused).toBeLessThan(PROCESSES * EACH);
});
