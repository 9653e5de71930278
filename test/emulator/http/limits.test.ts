import { expect, test } from "vitest";
import { Client } from "../../fixtures/client.ts";
import { startWorld, unknownId } from "../start-world.ts";

function limits({ headers }: { headers: Headers }) {
  const number = (name: string) => Number(headers.get(`x-ratelimit-${name}`));
  return { limit: number("limit"), remaining: number("remaining"), reset: number("reset") };
}

test("every response has the budget of the token, errors included", async () => {
  const { emulator, client } = await startWorld();
  const writer = new Client(emulator.url, emulator.tokens.write);
  expect(limits(await writer.call("GET", "/organization"))).toMatchObject({ limit: 1000, remaining: 999 });
  expect(limits(await writer.call("GET", `/job/${unknownId}`))).toMatchObject({ remaining: 998 });
  expect(limits(await writer.call("GET", "/no/such/path"))).toMatchObject({ remaining: 997 });
  expect(limits(await writer.call("DELETE", "/organization"))).toMatchObject({ remaining: 996 });
  expect(limits(await client.call("GET", "/organization")).remaining).toBeLessThan(1000);
  expect(limits(await new Client(emulator.url, "x").call("GET", "/"))).toMatchObject({ remaining: 1000 });
  expect(limits(await writer.call("GET", "/organization/%zz")).limit).toBe(1000);
});

test("requests over the limit get 429 until the window ends", async () => {
  const { emulator, advance } = await startWorld({ behaviour: { rate_limit: 3, rate_window_s: 60 } });
  const reader = new Client(emulator.url, emulator.tokens.read);
  for (const remaining of [2, 1, 0]) {
    expect(limits(await reader.call("GET", "/organization"))).toMatchObject({ limit: 3, remaining });
  }
  const refused = await reader.call("GET", "/organization");
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ status: 429, error: "Too Many Requests" });
  const { reset, remaining } = limits(refused);
  expect(remaining).toBe(0);
  const date = Date.parse(refused.headers.get("date") ?? "") / 1000;
  expect(reset - date).toBeGreaterThan(59);
  expect(reset - date).toBeLessThan(63);
  await advance(58_000);
  expect((await reader.call("GET", "/organization")).status).toBe(429);
  await advance(4_000);
  expect(limits(await reader.call("GET", "/organization"))).toMatchObject({ remaining: 2 });
});

test("a client that waits until the reset, a full second, is never too early", async () => {
  const { emulator, control, advance } = await startWorld({ behaviour: { rate_limit: 2, rate_window_s: 1 } });
  const reader = new Client(emulator.url, emulator.tokens.read);
  await reader.list("/organization");
  const { reset } = limits(await reader.call("GET", "/organization"));
  expect(Number.isInteger(reset)).toBe(true);
  const { now } = await control.get<{ now: string; id: string }>("/_emulator/clock");
  await advance(reset * 1000 - Date.parse(now) - 1);
  expect((await reader.call("GET", "/organization")).status).toBe(429);
  await advance(1);
  expect((await reader.call("GET", "/organization")).status).toBe(200);
});

test("each token has its own budget, and simultaneous requests share it", async () => {
  const { emulator } = await startWorld({ behaviour: { rate_limit: 10 } });
  const ask = async (token: string) => {
    const client = new Client(emulator.url, token);
    const answers = await Promise.all(Array.from({ length: 15 }, () => client.call("GET", "/organization")));
    return answers.filter(({ status }) => status === 200).length;
  };
  expect(await ask(emulator.tokens.read)).toBe(10);
  expect(await ask(emulator.tokens.deploy)).toBe(10);
});

test("without a limit there are no budget headers", async () => {
  const { client } = await startWorld({ behaviour: { rate_limit: 0 } });
  expect((await client.call("GET", "/organization")).headers.has("x-ratelimit-limit")).toBe(false);
});

test("a list is complete unless the request asks for a page", async () => {
  const { client, job, environmentId } = await startWorld();
  const jobs = `/environment/${environmentId}/job`;
  for (const name of ["a", "b", "c", "d", "e"]) await client.post(jobs, job(name));
  const whole = await client.get<object>(jobs);
  expect(whole).not.toHaveProperty("pagination");
  expect(await client.get<object>(`${jobs}?page=2&page_size=2`)).toMatchObject({
    results: [{ name: "c" }, { name: "d" }],
    pagination: { page: 2, page_size: 2, total_count: 5, total_pages: 3 },
  });
  expect(await client.get<object>(`${jobs}?page=4&page_size=2`)).toMatchObject({ results: [] });
  expect(await client.get<object>(`${jobs}?page=1`)).toMatchObject({
    pagination: { page: 1, total_count: 5, total_pages: 1 },
  });
  for (const query of ["page=0", "page=x", "page_size=-1", "page=1.5"]) {
    expect((await client.fails("GET", `${jobs}?${query}`)).status).toBe(400);
  }
});
