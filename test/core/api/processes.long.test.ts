import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serve } from "../../fixtures/http-server.ts";

const LIMIT = 60;
const PROCESSES = 8;
const EACH = 12;

test("eight processes with one token share its quota, and none of them fails", async () => {
  // The first window lasts until its quota is used up, whatever time that takes, and then to the end of a second.
  const accepted = [0];
  let end: number | undefined;
  const created: string[] = [];
  let refused = 0;
  let arrived = 0;
  const started = Promise.withResolvers<void>();
  const { url } = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    arrived += 1;
    if (arrived === PROCESSES) started.resolve();
    await started.promise;
    if (end !== undefined && Date.now() >= end) {
      accepted.push(0);
      end = undefined;
    }
    const used = accepted.at(-1) ?? 0;
    const isOver = used >= LIMIT;
    if (isOver) refused += 1;
    else accepted[accepted.length - 1] = used + 1;
    // The header has no fractions.
    const soon = Math.ceil(Date.now() / 1000 + 1) * 1000;
    if (used + 1 === LIMIT) end = soon;
    if (!isOver && request.method === "POST") created.push(body);
    response.writeHead(isOver ? 429 : 200, {
      "x-ratelimit-limit": LIMIT,
      "x-ratelimit-remaining": Math.max(0, LIMIT - used - 1),
      "x-ratelimit-reset": (end ?? soon) / 1000,
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

  const total = accepted.reduce((sum, count) => sum + count, 0);
  const spent = reports.reduce((sum, report) => sum + report.spent, 0);
  expect(reports.flatMap((report) => report.failures)).toEqual([]);
  expect(total).toBe(PROCESSES * EACH);
  expect(new Set(created).size).toBe((PROCESSES * EACH) / 2);
  expect(created).toHaveLength((PROCESSES * EACH) / 2);
  expect(accepted[0]).toBe(LIMIT);
  expect(spent).toBe(total + refused);
  // The server may refuse about as many requests of each process as the process has in progress.
  expect(refused).toBeLessThan(PROCESSES * EACH);
});
