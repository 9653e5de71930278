import { once } from "node:events";
import { createServer, request } from "node:http";

/** A request of a worker, as the API has answered it. */
export interface Sent {
  worker: string;
  /** The header with the token. */
  authorization: string;
  line: string;
  /** Milliseconds since 1970: when the request and when its answer arrived. */
  started: number;
  ended: number;
  status: number;
  /** The end of the window that the API has counted the request in, in seconds since 1970; NaN without a quota. */
  window: number;
}

/** The only way of all workers to the API, so that they have one base URL; it notes what the API answers. */
export class ApiLog {
  readonly sent: Sent[] = [];
  readonly #server = createServer();
  url = "";

  static async before(api: string): Promise<ApiLog> {
    const log = new ApiLog();
    log.#server.on("request", (incoming, outgoing) => {
      const started = Date.now();
      const { method = "GET", url = "/" } = incoming;
      const { "x-test-worker": worker = "", ...headers } = incoming.headers;
      const onwards = request(api + url, { method, headers }, (answer) => {
        const { statusCode: status = 502 } = answer;
        log.sent.push({
          worker: String(worker),
          authorization: headers.authorization ?? "",
          line: `${method} ${url}`,
          started,
          ended: Date.now(),
          status,
          window: Number(answer.headers["x-ratelimit-reset"]),
        });
        outgoing.writeHead(status, answer.headers);
        answer.pipe(outgoing);
      });
      onwards.on("error", () => outgoing.destroy());
      incoming.pipe(onwards);
    });
    log.#server.listen(0, "127.0.0.1");
    await once(log.#server, "listening");
    const address = log.#server.address();
    log.url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    return log;
  }

  /** The requests that change something. */
  get writes(): Sent[] {
    return this.sent.filter(({ line }) => !line.startsWith("GET"));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Writes to the same project, environment or job by two workers at the same time. */
export function overlaps(writes: readonly Sent[]): string[] {
  const byPlace = Map.groupBy(
    writes,
    ({ line }) => /\/(?:environment|project|job)\/([0-9a-f-]{36})/.exec(line)?.[1],
  );
  return [...byPlace].flatMap(([place, its]) =>
    place === undefined
      ? []
      : its.flatMap((one) =>
          its
            .filter(
              (other) =>
                other.worker !== one.worker && other.started < one.ended && one.started <= other.started,
            )
            .map((other) => `${one.worker} ${one.line} and ${other.worker} ${other.line}`),
        ),
  );
}
