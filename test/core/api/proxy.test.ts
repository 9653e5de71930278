import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import {
  ClientSettingsError,
  UnreachableError,
  proxyFor,
  type ClientSettings,
  type EnvironmentVariables,
} from "../../../core/api/index.ts";
import { createWritingClient as createClient } from "../../../core/api/client.ts";
import { withoutCredentials } from "../../../core/redaction/credential-forms.ts";
import { makeCertificate, trust } from "../../fixtures/certificate.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { failureOf } from "./failure.ts";
import { serveProxy } from "../../fixtures/proxy-server.ts";
import { listen } from "../../fixtures/http-server.ts";

const host = "api.invalid";
const tls = makeCertificate(host);

/** The API under a host name that only the proxy can resolve, and the requests that arrive there. */
async function serveApi(): Promise<{ port: number; received: IncomingMessage[] }> {
  const received: IncomingMessage[] = [];
  const server = createHttpsServer(tls, (request, response) => {
    received.push(request);
    response.end("[1]");
  });
  return { port: await listen(server), received };
}

const clientWith = (environment: EnvironmentVariables, more: Partial<ClientSettings> = {}) =>
  createClient(
    { baseUrl: `https://${host}`, token: "t0ken", onQuota: "fail", environment, ...more },
    quickClock(),
  );

describe("ALL_PROXY", () => {
  const all = { ALL_PROXY: "http://all.example.com:3128" };
  test.each(["https://api.invalid", "http://api.invalid"])("is the proxy for %s", (baseUrl) => {
    expect(proxyFor(baseUrl, all, true)).toMatchObject({
      variable: "ALL_PROXY",
      origin: "http://all.example.com:3128",
      environment: { [`${new URL(baseUrl).protocol.slice(0, -1)}_proxy`]: "http://all.example.com:3128/" },
    });
  });

  test("may be written in lower case, and the variable for the scheme overrides it", () => {
    expect(
      proxyFor("https://api.invalid", { ...all, all_proxy: "http://low.example.com" }, true),
    ).toMatchObject({ variable: "all_proxy" });
    const both = { ...all, HTTPS_PROXY: "http://https.example.com" };
    expect(proxyFor("https://api.invalid", both, true)).toMatchObject({ variable: "HTTPS_PROXY" });
  });
});

describe("a proxy for https", () => {
  test("tunnels to the API; only the API receives the token, and only the proxy its own password", async () => {
    trust(tls.cert);
    const api = await serveApi();
    const proxy = await serveProxy(api.port);
    const client = clientWith({ HTTPS_PROXY: `http://user:secret@${proxy.url}` });
    expect(await client.get("/x")).toEqual([1]);
    await client.put("/x", {});
    expect(api.received.map(({ method, headers }) => [method, headers.authorization])).toEqual([
      ["GET", "Token t0ken"],
      ["PUT", "Token t0ken"],
    ]);
    expect(api.received.flatMap(({ rawHeaders }) => rawHeaders.join(" "))).not.toContain("Basic");
    // One tunnel for both requests, because connections are reused.
    expect(proxy.received.map(({ method, url }) => [method, url])).toEqual([["CONNECT", `${host}:443`]]);
    expect(proxy.received[0]?.headers["proxy-authorization"]).toBe("Basic dXNlcjpzZWNyZXQ=");
    expect(JSON.stringify(proxy.received[0]?.rawHeaders)).not.toContain("t0ken");
  });

  test.each(["http://", "HTTP://", ""])(
    "may be written %s127.0.0.1:3128, also in lower case",
    async (scheme) => {
      trust(tls.cert);
      const api = await serveApi();
      const proxy = await serveProxy(api.port);
      expect(
        await clientWith({ https_proxy: scheme + proxy.url, HTTPS_PROXY: "http://nobody.invalid" }).get("/x"),
      ).toEqual([1]);
    },
  );

  test("an untrusted certificate fails a write before the token is sent", async () => {
    const api = await serveApi();
    const proxy = await serveProxy(api.port);
    const client = clientWith({ HTTPS_PROXY: proxy.url });
    const error = await failureOf(client.post("/x", {}));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toContain("certificate");
    expect([client.spent.total, api.received.length, proxy.received.length]).toEqual([1, 0, 1]);
  });

  test.each([
    [
      "407 Not you",
      "write the user and the password of the proxy into HTTPS_PROXY: http://<user>:<password>@<host>:<port>",
    ],
    ["502 No way", "check HTTPS_PROXY, or name the host in NO_PROXY"],
  ])("a proxy that refuses is named without its password: %s", async (status, advice) => {
    const server = createHttpServer();
    server.on("connect", (_request, client: Socket) => client.end(`HTTP/1.1 ${status}\r\n\r\n`));
    const url = `127.0.0.1:${await listen(server)}`;
    const error = await failureOf(clientWith({ HTTPS_PROXY: `http://user:secret@${url}` }).post("/x"));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toBe(
      `no connection to https://${host} for POST /x: Failed to establish tunnel to ${host}:443 via http://${url}/: HTTP/1.1 ${status}; ${advice}`,
    );
    // The console leaves out what has the form of a credential.
    expect(withoutCredentials(error.message)).toBe(error.message);
  });

  test("a proxy with a dead tunnel fails after a limited time", async () => {
    const server = createHttpServer();
    server.on("connect", (_request, client: Socket) => {
      client.on("error", () => undefined);
      client.resume().write("HTTP/1.1 200 Connection established\r\n\r\n");
    });
    const port = await listen(server);
    const client = clientWith({ HTTPS_PROXY: `127.0.0.1:${port}` }, { requestTimeout: 50 });
    const error = await failureOf(client.post("/x"));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toBe(
      `no answer to POST /x in time: no connection through the proxy within 50 ms; try again later, or check the proxy http://127.0.0.1:${port} (HTTPS_PROXY)`,
    );
    expect(client.spent.total).toBe(5);
  });

  test("a proxy that does not exist is named without its password", async () => {
    const error = await failureOf(clientWith({ HTTPS_PROXY: "http://user:secret@127.0.0.1:1" }).post("/x"));
    expect(error.message).toBe(
      `no connection to https://${host} for POST /x: no server listens at 127.0.0.1:1 (ECONNREFUSED); check the base URL, the proxy http://127.0.0.1:1 (HTTPS_PROXY) and the network`,
    );
  });
});

test("a proxy for plain http forwards the requests when plain http is allowed", async () => {
  const proxy = await serveProxy(0);
  const environment = { HTTP_PROXY: proxy.url, HTTPS_PROXY: "http://nobody.invalid" };
  const client = clientWith(environment, { baseUrl: `http://${host}`, insecureHttp: true });
  expect(await client.get("/x")).toEqual([2]);
  expect(proxy.received.map(({ url }) => url)).toEqual([`http://${host}/x`]);
});

test.each(["HTTP_PROXY", "all_proxy"])(
  "a proxy for plain http that refuses is named by %s",
  async (variable) => {
    const server = createHttpServer((_request, response) => void response.writeHead(407).end());
    const environment = { [variable]: `127.0.0.1:${await listen(server)}` };
    const client = clientWith(environment, { baseUrl: `http://${host}`, insecureHttp: true });
    expect((await failureOf(client.get("/x"))).message).toContain(
      `the user and the password of the proxy into ${variable}: `,
    );
  },
);

describe("no proxy", () => {
  test.each([
    ["is used for what NO_PROXY has", { NO_PROXY: ".invalid", HTTPS_PROXY: "http://nobody.invalid" }],
    ["is used for what no_proxy has", { no_proxy: "*", NO_PROXY: "", HTTPS_PROXY: "http://nobody.invalid" }],
    ["is used for another protocol", { HTTP_PROXY: "http://nobody.invalid" }],
    ["is there", { HTTPS_PROXY: "", https_proxy: undefined }],
  ])("%s", async (_case, environment) => {
    const error = await failureOf(clientWith(environment).get("/x"));
    expect(error.message).toContain(
      `there is no host ${host} (ENOTFOUND); check the base URL and the network`,
    );
  });

  test.each(["http://localhost:1", "http://127.0.0.1:1", "https://[::1]:1"])(
    "is used for this machine: %s",
    (url) => {
      const set = "http://nobody.invalid";
      expect(proxyFor(url, { HTTP_PROXY: set, HTTPS_PROXY: set })).toBeUndefined();
    },
  );
});

test.each(["socks5://127.0.0.1:1080", "http://", "proxy example"])(
  "an invalid proxy is refused: %s",
  (given) => {
    expect(() => clientWith({ HTTPS_PROXY: given })).toThrow(
      new ClientSettingsError(
        "HTTPS_PROXY is not the URL of a proxy that speaks http or https",
        "set it to one like http://proxy.example.com:3128",
      ),
    );
  },
);

test("a Node version without proxy support refuses a configured proxy", () => {
  expect(() => proxyFor(`https://${host}`, { https_proxy: "http://proxy:3128" }, false)).toThrow(
    `https_proxy is set, and Node ${process.versions.node} does not support proxies; use Node 22.21, 24.5 or newer; or unset https_proxy, to reach ${host} without a proxy`,
  );
  expect(proxyFor(`https://${host}`, { HTTP_PROXY: "http://proxy:3128" }, false)).toBeUndefined();
  expect(proxyFor("http://127.0.0.1", { HTTP_PROXY: "http://proxy:3128" }, false)).toBeUndefined();
});
