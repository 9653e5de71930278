import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { boundConnections, requestLimits } from "../listener.ts";
import { signatureCheck } from "./signature.ts";

/** Options for receiving webhooks. */
export interface WebhookSettings {
  host: string;
  /** 0: a free one. */
  port: number;
  /** The receiver of requests to `/webhook/git` or `/webhook/git/NAME`; undefined if there is none. */
  receiver(name: string | undefined): WebhookReceiver | undefined;
}

/** Who receives webhooks about a repository. */
export interface WebhookReceiver {
  /** The secret that Git hosts sign with, read for each webhook; undefined: no webhook is accepted. */
  secret(): Promise<string | undefined>;
  /** A webhook with a right signature has come. */
  onHint(): void;
}

export interface ServedWebhook {
  url: string;
  close(): Promise<void>;
}

/** The path to which Git hosts send. */
export const webhookPath = "/webhook/git";

/** The most bytes of a body: what GitHub sends at most. */
const mostBytes = 25 * 1024 * 1024;

/** Receives webhooks, of which only the signature is believed: whoever knows the secret can only have the repository read. */
export async function serveWebhook(settings: WebhookSettings): Promise<ServedWebhook> {
  const { host, port } = settings;
  const server = createServer(requestLimits, (request, response) => {
    receive(request, settings).then(
      (status) => answer(request, response, status),
      // Its sender has hung up.
      () => response.destroy(),
    );
  });
  boundConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, resolve);
  });
  // As the page, it keeps no process alive.
  server.unref();
  const address = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${webhookPath}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(request: IncomingMessage, { receiver }: WebhookSettings): Promise<number> {
  const { method, headers } = request;
  const path = (request.url ?? "").split("?")[0] ?? "";
  const name =
    path === webhookPath ? undefined : /^\/([a-z0-9-]+)$/.exec(path.slice(webhookPath.length))?.[1];
  if (!path.startsWith(webhookPath) || (name === undefined && path !== webhookPath)) return 404;
  if (method !== "POST") return 405;
  const receiving = receiver(name);
  if (!receiving) return name === undefined ? 404 : 401;
  const expected = await receiving.secret();
  if (expected === undefined) return 403;
  if (Number(headers["content-length"] ?? 0) > mostBytes) return 413;
  const check = signatureCheck(headers, expected);
  if (!check) return 401;
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) return 413;
    check.update(chunk);
  }
  if (!check.isRight()) return 401;
  receiving.onHint();
  return 202;
}

const texts: Record<number, string> = {
  202: "the repository will be checked\n",
  401: "the signature is missing or wrong\n",
  403: "no secret is set here, so no webhook is accepted\n",
  404: `webhooks go to ${webhookPath}\n`,
  405: "only POST is answered\n",
  413: "the body is too large\n",
};

function answer(request: IncomingMessage, response: ServerResponse, status: number): void {
  // The rest of the body is not read: the connection ends.
  const close = request.complete ? {} : { connection: "close" };
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    ...(status === 405 && { allow: "POST" }),
    ...close,
  });
  response.end(texts[status]);
}
