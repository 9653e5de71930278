import { createServer } from "node:https";
import { request } from "node:http";
import { expect, test } from "vitest";
import { makeCertificate } from "../fixtures/certificate.ts";
import { serveProxy } from "../fixtures/proxy-server.ts";
import { listen } from "../fixtures/http-server.ts";
import { spawnInfrasync } from "./child.ts";
import { useFixture } from "./fixture.ts";
import { shop } from "../fixtures/manifests.ts";

const fixture = useFixture();

test("HTTPS_PROXY and a custom certificate authority work together in a real process", async () => {
  const tls = makeCertificate("api.invalid");
  // The emulator does not support https.
  const front = createServer(tls, (incoming, response) => {
    const { method, url } = incoming;
    // The emulator refuses requests for another host.
    const { host: _host, ...headers } = incoming.headers;
    const onward = request(fixture.emulator.url + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  const proxy = await serveProxy(await listen(front));
  const manifest = await fixture.write("shop.yaml", shop);
  const { ended } = spawnInfrasync(["apply", manifest, "--yes"], {
    INFRASYNC_BASE_URL: "https://api.invalid",
    INFRASYNC_TOKEN: fixture.emulator.tokens.admin,
    HTTPS_PROXY: `http://${proxy.url}`,
    NODE_EXTRA_CA_CERTS: await fixture.write("authority.pem", tls.cert),
  });
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining("Done: 2 created.") });
  expect(new Set(proxy.received.map(({ method, url }) => `${method} ${url}`))).toEqual(
    new Set(["CONNECT api.invalid:443"]),
  );
});
