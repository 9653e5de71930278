import { readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { identityOfPerson } from "../../../reconciler/identity.ts";
import { AccessFile, SignIn } from "../../../reconciler/people/index.ts";
import { browserPath, isTooWide, useBrowser, violationsOn } from "../../fixtures/browser.ts";
import { clientSecret, startIdentityProvider } from "../../fixtures/identity-provider.ts";
import { mayBeMissing } from "../../fixtures/tools.ts";
import { commit, endWith, type ShownPage, showPage, environmentState } from "./page-fixture.ts";

const openTab = useBrowser();
const plan = "5eed".repeat(16);

const roles = `
roles:
  - { role: see, group: everyone }
  - { role: operate, group: developers, environments: [shop/staging] }
  - { role: approve, group: sre }
  - { role: operate, name: ci, token_file: ci-token, environments: [shop/staging] }
`;

/** A page, the folder of its operator's files, and a production that waits for an approval, and a provider at which anna, ben and carl sign in. */
async function showPeople(): Promise<ShownPage & { operator: string }> {
  const people: NonNullable<Parameters<typeof showPage>[1]> = {};
  const folder = (await showPage()).folder;
  await writeFile(join(folder, "access.yaml"), roles);
  await writeFile(join(folder, "ci-token"), "ci-token-canary\n");
  people.file = new AccessFile(join(folder, "access.yaml"));
  const page = await showPage({ type: "roles" }, people);
  const issuer = await startIdentityProvider(page.url, {
    anna: ["everyone", "sre"],
    ben: ["everyone", "developers"],
    carl: ["everyone"],
    dora: ["developers"],
    egon: [],
  });
  const settings = { issuer, clientId: "infrasync", url: page.url, groupsClaim: "groups" };
  people.signIn = new SignIn(settings, () => Promise.resolve(clientSecret), {});
  await page.ended(
    endWith(
      environmentState("shop/production", "blocked", {
        plan,
        changes: [
          {
            action: "replace",
            cause: "commit",
            address: "database:shop/production/db",
            losses: ["its data (20 GB)"],
          },
        ],
        problems: [{ code: "replacement", message: "database:shop/production/db must be replaced" }],
      }),
      environmentState("shop/staging", "drift", {
        plan,
        changes: [
          {
            action: "update",
            cause: "drift",
            address: "job:shop/staging/report",
            fields: ["cpu 500 -> 1000"],
          },
        ],
      }),
      environmentState("shop/dev", "synced", {
        rolledBack: {
          commit,
          by: identityOfPerson(issuer.href, "anna", "anna@example.com (anna)"),
          at: "2026-12-01T08:00:00.000Z",
        },
      }),
    ),
  );
  return Object.assign(page, { operator: folder });
}

/** Signs in as somebody does: by the link, and the forms of the provider. */
async function signIn(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${url}/`);
}

const audit = async (shown: ShownPage) =>
  (await readFile(join(shown.folder, "audit.jsonl"), "utf8").catch(() => ""))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>);

/** Where pictures of the page go, for a person who looks at them. */
const pictures = process.env["INFRASYNC_TEST_PICTURES"];
const picture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
};

describe.skipIf(mayBeMissing(browserPath))("in a browser", () => {
  test("who may approve signs in, approves the plan by a button, and the audit names the person", async () => {
    const shown = await showPeople();
    const { page, mishaps } = await openTab();
    await page.goto(shown.url);
    await picture(page, "entrance");
    await signIn(page, shown.url, "anna");
    // Those of the provider, and of the page while nobody had signed in.
    mishaps.splice(0);
    await picture(page, "approve");
    const production = page.locator('article[aria-label="shop/production"]');
    expect(await production.locator("option").textContent()).toBe(
      "aaaaaaa Begin <b>shop</b>, Bob, 1970-01-01 00:00 UTC",
    );
    await production.locator("input[name=lost]").fill("another");
    await production.getByRole("button", { name: "Approve this plan" }).click();
    await page.getByText("nothing is approved: the plan of shop/production deletes data for good").waitFor();
    expect(shown.requests.requestedIn("shop/production")).toBeUndefined();
    await production.locator("input[name=lost]").fill("db");
    await production.getByRole("button", { name: "Approve this plan" }).click();
    await page.getByText(`The plan ${plan.slice(0, 16)} of shop/production is approved by anna`).waitFor();
    await production.getByText("Approved by anna@example.com (anna), for the next cycle.").waitFor();
    await picture(page, "approved");
    expect(shown.requests.requestedIn("shop/production")).toEqual({
      type: "approve",
      by: { id: expect.stringMatching(/^person:http.*#anna$/), name: "anna@example.com (anna)" },
      plan,
    });
    await page.getByText("Pause all").click();
    await page.locator("#pause-all input[name=reason]").fill("inventory");
    await page.locator("#pause-all").getByRole("button").click();
    await page.getByText("Nothing is applied in any environment until").waitFor();
    await picture(page, "paused-all");
    await page.getByRole("link", { name: "Audit" }).click();
    await page.getByText("for 2h: inventory").waitFor();
    await page.getByText("Signed in or out once").click();
    await picture(page, "audit");
    expect(await audit(shown)).toMatchObject([
      { type: "signed_in", by: { name: "anna@example.com (anna)" }, client: "127.0.0.1" },
      { type: "refused", environment: "shop/production", reason: expect.stringContaining("type the name") },
      {
        type: "requested",
        request: "approve",
        environment: "shop/production",
        detail: `plan ${plan}: replace database:shop/production/db, loses for good: its data (20 GB)`,
      },
      { request: "pause" },
    ]);
    expect(mishaps).toEqual([]);
    await page.goto(shown.url);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
  });

  test("people have the buttons of their roles, and see what their roles allow", async () => {
    const shown = await showPeople();
    const buttonsOf = async (name: string, viewport = { width: 1280, height: 900 }) => {
      const { page } = await openTab({ viewport });
      await signIn(page, shown.url, name);
      await picture(page, `as-${name}`);
      expect(await isTooWide(page)).toBe(false);
      const buttons = await page.locator("article button:visible, article summary").allInnerTexts();
      const cards = await page.locator("article h3").allInnerTexts();
      return { buttons, cards, page };
    };
    const carl = await buttonsOf("carl");
    expect(carl.buttons.filter((text) => !text.startsWith("shop/"))).toEqual([]);
    expect(carl.cards).toHaveLength(3);
    const ben = await buttonsOf("ben", { width: 320, height: 640 });
    expect(ben.buttons.filter((text) => !text.startsWith("shop/"))).toEqual([
      "Sync now",
      "Refresh",
      "Roll back",
      "Pause",
    ]);
    expect(await violationsOn(ben.page)).toEqual([]);
    const dora = await buttonsOf("dora");
    expect(dora.cards).toEqual(["shop/staging"]);
    expect((await dora.page.goto(`${shown.url}/journal`))?.status()).toBe(403);
    const { page: egon } = await openTab();
    await signIn(egon, shown.url, "egon");
    await egon.getByText("egon@example.com (egon) has no role here").waitFor();
    expect(await egon.content()).not.toMatch(/git\.example\.com|shop/);
    for (const path of ["status.json", "journal", "audit", "events"])
      expect((await egon.goto(`${shown.url}/${path}`))?.status()).toBe(403);
    await egon.goto(shown.url);
    await egon.getByRole("button", { name: "Sign out" }).click();
    await egon.getByRole("link", { name: "Sign in" }).waitFor();
    expect(await (await dora.page.goto(`${shown.url}/status.json`))?.text()).not.toContain("production");
  });

  test("another site that has the browser send a form changes nothing", async () => {
    const shown = await showPeople();
    const { page } = await openTab();
    await signIn(page, shown.url, "anna");
    const fields = '<input name="type" value="sync"><input name="environment" value="shop/staging">';
    await page.route("http://evil.example.com/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<form method="post" action="${shown.url}/requests">${fields}</form><script>document.forms[0].submit()</script>`,
      }),
    );
    await page.goto("http://evil.example.com/", { waitUntil: "commit" });
    await page.waitForURL(`${shown.url}/requests`);
    expect(shown.requests.requestedIn("shop/staging")).toBeUndefined();
    // Nor does one of this page without the proof that it is.
    await page.goto(shown.url);
    const status = await page.evaluate(
      `fetch("/requests", { method: "POST", body: new URLSearchParams({ type: "sync", environment: "shop/staging" }) }).then((answer) => answer.status)`,
    );
    expect(status).toBe(403);
    expect(shown.requests.requestedIn("shop/staging")).toBeUndefined();
  });

  test("signing in makes a session of its own, and leads nowhere but to the page", async () => {
    const shown = await showPeople();
    const { page } = await openTab();
    await page
      .context()
      .addCookies([{ name: "infrasync", value: "fixed.by-somebody-else", url: shown.url, httpOnly: true }]);
    await signIn(page, `${shown.url}`, "ben");
    const cookie = (await page.context().cookies(shown.url)).find(({ name }) => name === "infrasync");
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
    expect(cookie?.value).not.toContain("fixed");
    // An answer of the provider to somebody else's sign-in is worth nothing here.
    await page.goto(`${shown.url}/signed-in?code=stolen&state=other&next=https://evil.example.com`);
    expect(page.url()).toBe(`${shown.url}/`);
    const refused = await shown.get("/signed-in?code=a&state=b", {
      cookie: "infrasync-sign-in=forged.signature",
    });
    expect([refused.status, refused.headers.get("location")]).toEqual([303, "/"]);
  });
});

test("a request without a session and without a token is refused in words", async () => {
  const { url } = await showPage();
  const answer = await fetch(`${url}/requests`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "sync", environment: "shop/staging" }),
  });
  expect(answer.status).toBe(403);
  expect(await answer.text()).toMatch(/"This form is not of this page.*a program needs a token\."/);
});

describe("over HTTP", () => {
  const post = (shown: ShownPage, body: object, headers: Record<string, string>) =>
    fetch(`${shown.url}/requests`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
      redirect: "manual",
    });

  test("a token acts with its role, where it has one", async () => {
    const shown = await showPeople();
    const ci = { authorization: "Bearer ci-token-canary" };
    const ask = async (body: object, headers: Record<string, string> = ci) =>
      (await post(shown, body, headers)).status;
    expect(await ask({ type: "sync", environment: "shop/staging" })).toBe(200);
    expect(await ask({ type: "approve", environment: "shop/staging", plan })).toBe(403);
    expect(await ask({ type: "sync", environment: "shop/production" })).toBe(403);
    expect(await ask({ type: "sync" })).toBe(403);
    expect(await ask({ type: "delete", environment: "shop/staging" })).toBe(400);
    expect(await ask({ type: "sync", environment: "shop/staging" }, {})).toBe(401);
    expect(await ask({ type: "sync", environment: "shop/staging" }, { authorization: "Bearer ci" })).toBe(
      401,
    );
    expect(JSON.stringify(await audit(shown))).not.toContain("canary");
  });

  test("a session ends with its token, and behind TLS its cookie is for TLS only", async () => {
    const shown = await showPeople();
    const enter = (token: string, headers: Record<string, string> = {}) =>
      fetch(`${shown.url}/enter`, {
        method: "POST",
        body: new URLSearchParams({ token }),
        headers,
        redirect: "manual",
      });
    const secure = await enter("ci-token-canary", { "x-forwarded-proto": "https" });
    expect(secure.headers.get("set-cookie")).toMatch(/HttpOnly; Secure; SameSite=Lax/);
    expect((await enter("ci-token-canary", { "sec-fetch-site": "cross-site" })).status).toBe(401);
    const entered = await enter("ci-token-canary");
    const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
    expect((await shown.get("/", { cookie })).status).toBe(200);
    // Another site could make a browser send JSON with a cookie, and with the password of a proxy.
    const requested = (headers: Record<string, string>) =>
      post(shown, { type: "sync", environment: "shop/staging" }, { cookie, ...headers });
    expect((await requested({})).status).toBe(403);
    expect((await requested({ authorization: "Basic YW5uYTpwYXNzd29yZA==" })).status).toBe(403);
    expect((await shown.get("/", { cookie: cookie.slice(0, -3) })).status).toBe(401);
    // It is no cookie of a sign-in that has begun.
    const started = cookie.replace("infrasync=", "infrasync-sign-in=");
    const refused = await shown.get("/signed-in?code=a&state=b", { cookie: started });
    expect([refused.status, refused.headers.get("location")]).toEqual([303, "/"]);
  });

  test("the audit has the address of whoever ends the connection before the answer", async () => {
    const shown = await showPeople();
    const { hostname, port } = new URL(shown.url);
    const head = `POST /enter HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/x-www-form-urlencoded\r\n`;
    const socket = connect(Number(port), hostname);
    socket.end(`${head}content-length: 21\r\n\r\ntoken=ci-token-canary`, () => socket.destroy());
    await expect.poll(() => audit(shown)).toMatchObject([{ by: { name: "ci" } }]);
    expect(await audit(shown)).toMatchObject([{ type: "signed_in", client: "127.0.0.1" }]);
  });

  test("two tokens of one name are a mistake of the access file, and a token has the roles of its own content", async () => {
    const shown = await showPage();
    const file = join(shown.folder, "access.yaml");
    await writeFile(join(shown.folder, "read"), "read-token-canary");
    await writeFile(join(shown.folder, "admin"), "admin-token-canary");
    const named = (one: string, other: string) =>
      `roles:\n- { role: see, name: ${one}, token_file: read }\n- { role: approve, name: ${other}, token_file: admin }\n`;
    const access = new AccessFile(file);
    const page = await showPage({ type: "roles" }, { file: access });
    await page.ended(endWith(environmentState("shop/production", "blocked", { plan })));
    const approve = async (token: string) =>
      (
        await post(
          page,
          { type: "approve", environment: "shop/production", plan },
          { authorization: `Bearer ${token}` },
        )
      ).status;
    await writeFile(file, named("ci", "ci"));
    await expect(access.rules()).rejects.toMatchObject({
      problems: [2, 3].map((line) => ({ message: 'the name "ci" is of two tokens', position: { line } })),
    });
    expect(await approve("read-token-canary")).toBe(500);
    await writeFile(file, named("ci", "admin"));
    expect(await approve("read-token-canary")).toBe(403);
    expect(await approve("admin-token-canary")).toBe(200);
    const digests = (await audit(page)).map(({ by }) => (by as unknown as { id: string }).id);
    expect(new Set(digests).size).toBe(2);
    // A session of one token does not pass to the token that takes its name.
    const entered = await fetch(`${page.url}/enter`, {
      method: "POST",
      body: new URLSearchParams({ token: "admin-token-canary" }),
      redirect: "manual",
    });
    const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
    await writeFile(file, named("admin", "ci"));
    await writeFile(join(shown.folder, "admin"), "another-token-canary");
    expect((await page.get("/", { cookie })).status).toBe(401);
  });

  test.each(["the role", "the token", "the session"])("a stream that is open ends with %s", async (ended) => {
    const shown = await showPeople();
    const entered = await fetch(`${shown.url}/enter`, {
      method: "POST",
      body: new URLSearchParams({ token: "ci-token-canary" }),
      redirect: "manual",
    });
    const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
    const answer = await fetch(`${shown.url}/events`, { headers: { cookie } });
    const reader = answer.body?.getReader();
    await reader?.read();
    if (ended === "the role")
      await writeFile(join(shown.operator, "access.yaml"), "roles: [{ role: see, group: everyone }]");
    if (ended === "the token") await writeFile(join(shown.operator, "ci-token"), "another-token-canary");
    if (ended === "the session") {
      const [, proof = ""] =
        /name="_csrf" value="([^"]+)"/.exec((await shown.get("/", { cookie })).text) ?? [];
      await fetch(`${shown.url}/sign-out`, {
        method: "POST",
        body: new URLSearchParams({ _csrf: proof }),
        headers: { cookie },
        redirect: "manual",
      });
    }
    await shown.ended(endWith(environmentState("shop/staging", "synced")));
    let heard = "";
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) break;
      heard += new TextDecoder().decode(value);
    }
    expect(heard).toBe("");
  });

  const large = JSON.stringify({ type: "sync", environment: "x".repeat(5000) });
  test.each([
    ["GET", "/status.json", {}, 401],
    ["GET", "/status.json", { authorization: "Bearer wrong" }, 401],
    ["GET", "/journal.json", { authorization: "Bearer ci-token-canary" }, 403],
    ["GET", "/nothing", {}, 404],
    ["PUT", "/status.json", {}, 405],
    ["GET", "/sign-in", {}, 404],
    ["POST", "/requests", { authorization: "Bearer ci-token-canary" }, 400, "{"],
    ["POST", "/requests", { authorization: "Bearer ci-token-canary" }, 400, "{}"],
    ["POST", "/requests", { authorization: "Bearer ci-token-canary" }, 413, large],
    ["POST", "/requests", { authorization: "Bearer ci-token-canary", "content-type": "text/x" }, 415, "x"],
    ["GET", "/status.json", { authorization: "Bearer ci-token-canary" }, 500],
  ] as const)(
    "%s %s with %j is refused with %i, as JSON for a program and as a page in a browser",
    async (method, path, headers, status, body?: string) => {
      const folder = (await showPage()).folder;
      const file = join(folder, "access.yaml");
      await writeFile(join(folder, "ci-token"), "ci-token-canary\n");
      await writeFile(
        file,
        "roles: [{ role: operate, name: ci, token_file: ci-token, environments: [shop/staging] }]",
      );
      const page = await showPage({ type: "roles" }, { file: new AccessFile(file) });
      if (status === 500) await writeFile(file, "roles: [{ role: everything }]");
      const ask = (more: Record<string, string>) =>
        fetch(`${page.url}${path}`, {
          method,
          headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers, ...more },
          ...(body !== undefined && { body }),
        });
      const answer = await ask({});
      const text = await answer.text();
      expect([answer.status, text]).toEqual([status, expect.stringMatching(/^\{"message":"[^"]/)]);
      expect(Object.keys(JSON.parse(text) as object)).toEqual(["message"]);
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(text).not.toMatch(/\.ts:|node_modules| at /);
      if ("authorization" in headers || path.endsWith(".json")) return;
      const shown = await ask({ accept: "text/html" });
      expect([shown.status, shown.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    },
  );

  test("an access file that is damaged lets nobody in", async () => {
    const shown = await showPage();
    const file = join(shown.folder, "access.yaml");
    await writeFile(file, "roles: [{ role: approve, name: ci, token_file: ci-token }]");
    await writeFile(join(shown.folder, "ci-token"), "ci-token-canary");
    const page = await showPage({ type: "roles" }, { file: new AccessFile(file) });
    const status = async () => (await page.get("/", { authorization: "Bearer ci-token-canary" })).status;
    expect(await status()).toBe(200);
    await writeFile(file, "roles: [{ role: everything }]");
    expect(await status()).toBe(500);
    await writeFile(file, "roles: []");
    expect(await status()).toBe(401);
  });
});
