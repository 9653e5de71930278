import { createServer, request } from "node:http";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { StoredSessions } from "../../reconciler/database/index.ts";
import { useFixture } from "../cli/fixture.ts";
import { Browser } from "../fixtures/forms.ts";
import { clientSecret, startIdentityProvider } from "../fixtures/identity-provider.ts";
import { useFleet } from "./fleet.ts";
import type { Worker } from "./workers.ts";

const fixture = useFixture({ clock: "real", behaviour: { rate_limit: 0 } });
const fleet = useFleet(fixture);
const wait = { timeout: 60_000, interval: 100 };

/** A proxy that sends each request to the next of the workers. */
async function proxyOf(workers: readonly Worker[]): Promise<string> {
  let requests = 0;
  const server = createServer((given, answer) => {
    const { url = "" } = workers[(requests += 1) % workers.length] ?? {};
    const { method, headers } = given;
    const passed = request(`${url}${given.url}`, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    given.pipe(passed);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}

test("a person signs in, acts and signs out by way of two workers that take turns, and the database shows no session", async () => {
  await fleet.migrate();
  fleet.state(["one"]);
  const workers: Worker[] = [];
  const page = await proxyOf(workers);
  const issuer = await startIdentityProvider(page, { anna: ["sre"] });
  const access = join(fleet.folder, "access.yaml");
  writeFileSync(
    access,
    `sign_in: { issuer: "${issuer.href}", client_id: infrasync, url: "${page}" }\nroles: [{ role: approve, group: sre }]\n`,
  );
  const start = () => fleet.start({ INFRASYNC_OIDC_CLIENT_SECRET: clientSecret }, ["--access-file", access]);
  workers.push(await start(), await start());
  const browser = new Browser();
  await browser.get(`${page}/sign-in`);
  await browser.submit({ login: "anna", password: "any" });
  const entered = await browser.submit({});
  expect(entered).toMatchObject({ status: 200, url: `${page}/` });
  for (const { url } of workers)
    await expect
      .poll(async () => (await browser.get(`${url}/sources/one/`)).text, wait)
      .toContain('aria-label="Act on one/');
  for (const at of [page, page, ...workers.map(({ url }) => url)])
    expect((await browser.get(`${at}/`)).text).toContain("Signed in as anna@example.com (anna)");
  for (const [button, reported] of [
    ['value="pause"', "Nothing is applied in any environment until"],
    ['value="resume"', "banner good"],
  ] as const) {
    await browser.get(`${page}/sources/one/`);
    const answer = await browser.submit({ reason: "inventory", for: "1h" }, button);
    expect([button, answer.status, answer.text]).toEqual([button, 200, expect.stringContaining(reported)]);
  }
  const audit = (await browser.get(`${page}/sources/one/audit`)).text;
  expect(audit).toContain("inventory");
  const rows = await fleet.postgres.query<{ key: string; content: Buffer; ends_at: Date }>(
    "select * from infrasync.session",
  );
  expect(rows).toHaveLength(1);
  const dump = JSON.stringify(rows.map(({ content, ...row }) => [row, content.toString("latin1")]));
  expect(dump).not.toMatch(new RegExp(`anna|sre|csrf|${browser.cookie("infrasync")}`));
  // Whoever has kept the cookie of a session has nothing after its end, at either worker.
  const cookie = `infrasync=${browser.cookie("infrasync")}`;
  const statuses = () =>
    Promise.all(
      workers.map(async ({ url }) => (await fetch(`${url}/status.json`, { headers: { cookie } })).status),
    );
  expect(await statuses()).toEqual([200, 200]);
  await browser.get(`${page}/`);
  expect((await browser.submit({}, "Sign out")).text).toContain('href="/sign-in"');
  expect(await statuses()).toEqual([401, 401]);
  expect(await fleet.postgres.query("select from infrasync.session")).toEqual([]);
});

test("a session ends after eight hours at every worker, and without the database nobody knows who has signed in", async () => {
  await fleet.migrate();
  fleet.state(["one"]);
  writeFileSync(join(fleet.folder, "token"), "token-of-anna");
  const access = join(fleet.folder, "access.yaml");
  writeFileSync(access, `roles: [{ role: see, name: anna, token_file: token }]\n`);
  const flags = ["--access-file", access];
  const workers = [await fleet.start({}, flags), await fleet.start({}, flags)] as const;
  const [first, second] = workers;
  const enter = async () => {
    const browser = new Browser();
    await browser.get(`${first.url}/enter`);
    await browser.submit({ token: "token-of-anna" });
    return { cookie: `infrasync=${browser.cookie("infrasync")}`, accept: "text/html" };
  };
  const headers = await enter();
  const refresh = (headersOf: Record<string, string>) => fetch(`${second.url}/`, { headers: headersOf });
  expect((await refresh(headers)).status).toBe(200);
  const [row] = await fleet.postgres.query<{ hours: number }>(
    "update infrasync.session set ends_at = ends_at - interval '8 hours' returning extract(epoch from ends_at - now())::float8 / 3600 as hours",
  );
  expect(row?.hours).toBeCloseTo(0, 1);
  expect((await refresh(headers)).status).toBe(401);
  // The next one that begins takes away what has ended.
  const next = await enter();
  expect(await fleet.postgres.query("select from infrasync.session")).toHaveLength(1);
  await fleet.postgres.kill();
  const away = await refresh(next);
  expect([away.status, await away.text()]).toEqual([503, expect.stringContaining("does not answer")]);
  expect((await refresh({ authorization: "Bearer token-of-anna" })).status).toBe(200);
  await fleet.postgres.begin();
  await expect.poll(async () => (await refresh(next)).status, wait).toBe(200);
});

test("what a request under way still changes brings no session back that has ended", async () => {
  await fleet.migrate();
  const sessions = new StoredSessions(fleet.postgres.url);
  await sessions.begin("an id", "a", new Date(Date.now() + 60_000));
  await sessions.change("an id", "b");
  expect(await sessions.find("an id")).toBe("b");
  await sessions.end("an id");
  await sessions.change("an id", "c");
  expect(await sessions.find("an id")).toBeUndefined();
  await sessions.close();
});

test("of a session whose row is damaged, nothing is known: the person signs in again", async () => {
  await fleet.migrate();
  const sessions = new StoredSessions(fleet.postgres.url);
  await sessions.begin("another id", "a", new Date(Date.now() + 60_000));
  for (const content of ["set_byte(content, 13, get_byte(content, 13) # 1)", "'short'::bytea", "''::bytea"]) {
    await fleet.postgres.query(`update infrasync.session set content = ${content}`);
    expect(await sessions.find("another id")).toBeUndefined();
  }
  await sessions.close();
});
