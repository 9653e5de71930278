import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/**
 * Starts a server in front of another one. Each environment of it contains one more service: an Argo CD app, which the
 * API lists and nobody can create. Returns its URL; the server stops when the test ends.
 */
export async function withArgocdApp(target: string, name: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const { authorization = "", "content-type": type = "application/json" } = request.headers;
    const answer = await fetch(target + request.url, {
      method: request.method ?? "GET",
      headers: { authorization, "content-type": type },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const [, environment] = /^\/environment\/([^/]+)\/services/.exec(request.url ?? "") ?? [];
    const text = await answer.text();
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(environment === undefined || !answer.ok ? text : withApp(text, environment, name));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function withApp(text: string, environment: string, name: string): string {
  const { results } = JSON.parse(text) as { results: object[] };
  const app = { id: "0c6f0f1e-5a9b-4c53-9f6e-2d8f5a3b7c41", name, service_type: "ARGOCD_APP" };
  // Without `pagination`, whose total would be wrong: a list without it is complete.
  return JSON.stringify({ results: [...results, { ...app, environment: { id: environment } }] });
}
