import { betweenOf } from "./obstacle.ts";
import { proxyFor } from "./proxy.ts";
import type { EnvironmentVariables } from "./settings.ts";
import { type HttpAnswer, createTransport, type OutgoingRequest } from "./transport.ts";

/** A request to another server than the API, such as the receiver of notifications. */
export interface PlainRequest extends Pick<OutgoingRequest, "headers" | "text" | "signal"> {
  method?: OutgoingRequest["method"];
  /** Names the proxy. */
  environment: EnvironmentVariables;
}

/** The answer of the server, or the error, and who has answered in its place. */
export type PlainAnswer =
  | { answer: HttpAnswer; between?: undefined; error?: undefined }
  | { answer?: undefined; between?: { what: string; advice: string } | undefined; error: Error };

const requestTimeout = 10_000;
const maxResponseSize = 16 * 1024 * 1024;

/** Sends a request once, through the configured proxy, and follows no redirect. */
export async function sendOnce(
  address: string,
  { method = "GET", environment, ...request }: PlainRequest,
): Promise<PlainAnswer> {
  const url = new URL(address);
  try {
    const send = createTransport({ proxy: proxyFor(address, environment), requestTimeout, maxResponseSize });
    const answer = await send({ ...request, method, url });
    if (answer.kind === "none") throw answer.error;
    const between = betweenOf(answer);
    if (!between) return { answer };
    const { what, advice } = between;
    const reported = { what: `${answer.status}, ${what}`, advice };
    return { between: reported, error: new Error(`${reported.what}; ${advice}`) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}
