import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { UnclearOutcomeError, UnreachableError } from "../../../core/api/index.ts";
import {
  createWritingClient as createClient,
  type WritingClient as Client,
} from "../../../core/api/client.ts";
import type { ClientSettings } from "../../../core/api/index.ts";
import { makeCertificate, trust } from "../../fixtures/certificate.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { failureOf } from "./failure.ts";
import { faults, listen, serve, serveReplies } from "../../fixtures/http-server.ts";

/** A port without a server. */
async function freePort(): Promise<number> {
  const server = createTcpServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

const settings = (baseUrl: string, more: Partial<ClientSettings> = {}): ClientSettings => ({
  baseUrl,
  token: "t0ken",
  onQuota: "fail",
  ...more,
});

/** Runs a script in a separate process and returns its output. */
async function runScript(script: string, environment: Record<string, string> = {}): Promise<string> {
  const client = JSON.stringify(new URL("../../../core/api/index.ts", import.meta.url).href);
  const parts = ["--input-type=module", "--eval", `import { createClient } from ${client}; ${script}`];
  const options = { env: { ...process.env, NODE_NO_WARNINGS: "1", ...environment } };
  return (await promisify(execFile)(process.execPath, parts, options)).stdout;
}

function serveSlowly() {
  return serve((_request, response) => {
    setTimeout(() => response.end("{}"), 5000).unref();
  });
}

const methods: [method: string, use: (client: Client) => Promise<unknown>][] = [
  ["GET", (client) => client.get("/x")],
  ["POST", (client) => client.post("/x", {})],
  ["PUT", (client) => client.put("/x", {})],
  ["DELETE", (client) => client.delete("/x")],
];

describe("a connection that is never established", () => {
  test.each(methods)("%s is repeated, then fails with a definite outcome", async (method, use) => {
    const client = createClient(settings(`http://127.0.0.1:${await freePort()}`), quickClock());
    const error = await failureOf(use(client));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toMatch(
      new RegExp(
        `^no connection to http://127.0.0.1:\\d+ for ${method} /x: no server listens at 127.0.0.1:\\d+ \\(ECONNREFUSED\\); check the base URL and the network$`,
      ),
    );
    expect(client.spent.total).toBe(5);
  });

  test.each(methods)("%s succeeds when the server starts in the meantime", async (_method, use) => {
    const port = await freePort();
    const clock = quickClock();
    const late = createHttpServer((_request, response) => response.end("{}"));
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (milliseconds, signal) => {
      if (clock.slept.length === 1) await listen(late, port);
      await sleep(milliseconds, signal);
    };
    await use(createClient(settings(`http://127.0.0.1:${port}`), clock));
    expect(clock.slept).toHaveLength(2);
  });

  test("names the reason also when the host has several addresses", async () => {
    const error = await failureOf(
      createClient(settings(`http://localhost:${await freePort()}`), quickClock()).get("/x"),
    );
    expect(error.message).toMatch(/: no server listens (?:at \S+ )?\(ECONNREFUSED\);/);
  });

  test("names a host that does not exist", async () => {
    const client = createClient(settings("https://host.invalid"), quickClock());
    const error = await failureOf(client.post("/x"));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toBe(
      "no connection to https://host.invalid for POST /x: there is no host host.invalid (ENOTFOUND); check the base URL and the network",
    );
  });

  test("a handshake that never ends has a definite outcome", async () => {
    const port = await listen(createTcpServer());
    const client = createClient(settings(`https://127.0.0.1:${port}`, { requestTimeout: 50 }), quickClock());
    expect(await failureOf(client.post("/x"))).toBeInstanceOf(UnreachableError);
    expect(client.spent.total).toBe(5);
  });
});

describe("TLS", () => {
  const tls = makeCertificate();

  test.each(methods)("an untrusted certificate fails a %s before anything is sent", async (_method, use) => {
    let requests = 0;
    const port = await listen(
      createHttpsServer(tls, (_request, response) => {
        requests += 1;
        response.end("{}");
      }),
    );
    const client = createClient(settings(`https://127.0.0.1:${port}`), quickClock());
    const error = await failureOf(use(client));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toContain(
      ": the certificate of the server is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT); for an authority of your own set NODE_EXTRA_CA_CERTS to the file of its certificate",
    );
    expect([client.spent.total, requests]).toEqual([1, 0]);
  });

  test("https to an http server fails at once", async () => {
    const { port } = await serve((_request, response) => response.end("{}"));
    const client = createClient(settings(`https://127.0.0.1:${port}`), quickClock());
    const error = await failureOf(client.post("/x"));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toBe(
      `no connection to https://127.0.0.1:${port} for POST /x: the server answers, but not in https; check the port of the base URL; a URL for plain http begins with http://`,
    );
    expect(client.spent.total).toBe(1);
  });

  test.each([
    [
      "has expired",
      makeCertificate("localhost", { until: -1000 }),
      "the certificate of the server has expired; renew it, or correct the clock of this machine",
    ],
    [
      "is not valid yet",
      makeCertificate("localhost", { from: 60_000 }),
      "the certificate of the server is not valid yet; check the clock of this machine",
    ],
    [
      "is for another host",
      makeCertificate("api.example.com"),
      "the certificate of the server is for another host (DNS:api.example.com, IP Address:127.0.0.1); set the base URL to a host of the certificate",
    ],
  ])("a certificate that %s", async (_case, certificate, message) => {
    trust(certificate.cert);
    const port = await listen(createHttpsServer(certificate, (_request, response) => response.end("{}")));
    const client = createClient(settings(`https://localhost:${port}`), quickClock());
    expect((await failureOf(client.get("/x"))).message).toBe(
      `no connection to https://localhost:${port} for GET /x: ${message}`,
    );
    expect(client.spent.total).toBe(1);
  });

  test("a server that requires another TLS version", async () => {
    const old = {
      ...tls,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: "DEFAULT@SECLEVEL=0",
    } as const;
    const port = await listen(createHttpsServer(old, (_request, response) => response.end("{}")));
    const client = createClient(settings(`https://127.0.0.1:${port}`), quickClock());
    expect((await failureOf(client.get("/x"))).message).toBe(
      `no connection to https://127.0.0.1:${port} for GET /x: the server and Node do not agree on TLS: tlsv1 alert protocol version; check the base URL, and any proxy`,
    );
  });

  test("a custom certificate authority is accepted, and verification cannot be switched off", async () => {
    const port = await listen(createHttpsServer(tls, (_request, response) => response.end("[1]")));
    const folder = mkdtempSync(join(tmpdir(), "infrasync-"));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    });
    const file = join(folder, "authority.pem");
    writeFileSync(file, tls.cert);
    const script = `
      const client = createClient({ baseUrl: "https://localhost:${port}", token: "t", onQuota: "fail" });
      console.log(await client.post("/x", {}).catch((error) => error.code));
      console.log(await client.get("/x").catch((error) => error.code));
    `;
    expect(await runScript(script, { NODE_EXTRA_CA_CERTS: file })).toBe("[ 1 ]\n[ 1 ]\n");
    expect(await runScript(script, { NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toBe("unreachable\nunreachable\n");
  });
});

describe("a slow server", () => {
  test("a read is repeated after the time-out", async () => {
    const { url } = await serveSlowly();
    const client = createClient(settings(url, { requestTimeout: 300 }), quickClock());
    const error = await failureOf(client.get("/x"));
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error.message).toMatch(/^no answer to GET \/x in time: .*300ms; try again later$/);
    expect(error.remedies).toEqual([{ setting: "base_url" }]);
    expect(client.spent.total).toBe(2);
  });

  test("a write is unclear after the time-out", async () => {
    const { url } = await serveSlowly();
    const client = createClient(settings(url, { requestTimeout: 30 }), quickClock());
    expect(await failureOf(client.post("/x"))).toBeInstanceOf(UnclearOutcomeError);
    expect(client.spent.total).toBe(1);
  });

  test("a response that arrives too slowly is cut off", async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), 5);
      response.on("close", () => {
        clearInterval(timer);
      });
    });
    const client = createClient(settings(url, { requestTimeout: 60 }), quickClock());
    expect(await failureOf(client.put("/x", {}))).toBeInstanceOf(UnclearOutcomeError);
  });
});

describe("a server that switches the protocol", () => {
  const replies = Object.entries(faults).filter(([name]) => name.startsWith("switched to another protocol"));
  test.each(replies)("fails the request at once, without the time limit: %s", async (_name, reply) => {
    const { url, received } = await serveReplies(reply);
    const client = createClient(settings(url, { requestTimeout: 3000 }), quickClock());
    const { message, cause } = await failureOf(client.post("/x"));
    expect(`${message} ${String(cause)}`).toContain("the server wants to switch to another protocol (101)");
    expect(received).toHaveLength(1);
  });
});

describe("connections", () => {
  test("are reused and keep no listeners", async () => {
    let connections = 0;
    const { url, server } = await serve((_request, response) => response.end("{}"));
    server.on("connection", () => {
      connections += 1;
    });
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => {
      process.off("warning", onWarning);
    });
    const client = createClient(settings(url));
    for (let request = 0; request < 30; request += 1) await client.put("/x", {});
    await wait(1);
    expect([connections, warnings]).toEqual([1, []]);
  });

  test.each([undefined, 3])("are limited to the given number (%s)", async (concurrency) => {
    let open = 0;
    let most = 0;
    const { url } = await serve((_request, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end("{}");
      }, 40);
    });
    const client = createClient(settings(url, { concurrency }));
    await Promise.all(Array.from({ length: 60 }, () => client.get("/x")));
    expect(most).toBe(concurrency ?? 10);
  });

  test("an open idle connection does not keep the process alive", async () => {
    const { url, server } = await serve((_request, response) => response.end("{}"));
    // The server never closes the connection, so a process that waited for it would not end.
    server.keepAliveTimeout = 0;
    const output = await runScript(`
      await createClient({ baseUrl: "${url}", token: "t", onQuota: "wait" }).get("/x");
      console.log("answered");
    `);
    expect(output).toBe("answered\n");
  });
});
