import { request } from "node:http";
import { resolve } from "node:path";
import { isFields, textIn } from "../../../core/json.ts";
import { InvalidInputError, type Problem } from "../../../core/problem.ts";
import { findSocket, type Wish } from "../../../reconciler/index.ts";
import { dataOf } from "./fleet/place.ts";
import { CommandError, exitCodes } from "../../exit-codes.ts";
import type { Console } from "../../terminal/console.ts";
import {
  authorization,
  noAddress,
  answerTimeout,
  type ServiceAddress,
  unauthorized,
  unreachable,
} from "./service-address.ts";

/** Flags of the wishes that a person sends to a running service. */
export interface WishFlags {
  plan?: string;
  to?: string;
  for?: string;
  reason?: string;
  url?: string;
  /** Of which of many sources. */
  source?: string;
}

interface Answer {
  status: number;
  message: string;
}

/**
 * Asks a running service for something: at the socket in its data folder, where that is on this machine, and otherwise
 * over HTTP with a token. Returns the exit code.
 */
export async function sendWish(
  { type, environment }: Pick<Wish, "type" | "environment">,
  flags: WishFlags & { data?: string },
  address: ServiceAddress | undefined,
  problems: readonly Problem[],
  console: Console,
): Promise<number> {
  if (problems.length > 0) throw new InvalidInputError(problems);
  const { plan, to: commit, for: length, reason, url, source } = flags;
  const wish = JSON.stringify({ type, environment, plan, commit, for: length, reason });
  const data = flags.data ?? console.io.env["INFRASYNC_DATA"];
  const folder = data && (source === undefined ? data : dataOf(data, source));
  const bySocket = folder && url === undefined ? await askSocket(resolve(folder), wish) : undefined;
  const { status, message } = bySocket ?? (await askOverHttp(address, wish));
  if (status !== 200)
    throw new CommandError(status === 403 ? "forbidden" : "invalid_input", exitCodes.invalid, { message });
  console.note(message);
  return exitCodes.done;
}

/** Asks the service behind the socket; undefined if no service answers. */
async function askSocket(data: string, wish: string): Promise<Answer | undefined> {
  const socket = await findSocket(data);
  if (!socket) return undefined;
  try {
    return await new Promise<Answer | undefined>((settle, fail) => {
      const asking = request({
        socketPath: socket.path,
        path: "/wishes",
        method: "POST",
        headers: { "content-type": "application/json" },
        timeout: answerTimeout,
      });
      asking.on("response", (response) => {
        const chunks: Buffer[] = [];
        response
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("error", fail)
          .on("end", () => settle(answerIn(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
      });
      asking.on("timeout", () =>
        asking.destroy(new Error(`the service with the data folder ${data} does not answer`)),
      );
      // The process that had the socket was killed.
      asking.on("error", (error: NodeJS.ErrnoException) =>
        error.code === "ECONNREFUSED" || error.code === "ENOENT" ? settle(undefined) : fail(error),
      );
      asking.end(wish);
    });
  } finally {
    await socket.close();
  }
}

async function askOverHttp(address: ServiceAddress | undefined, wish: string): Promise<Answer> {
  if (!address) throw noAddress();
  const { url, token } = address;
  const answer = await fetch(`${url}/wishes`, {
    method: "POST",
    headers: { ...(await authorization(token)), "content-type": "application/json" },
    body: wish,
    redirect: "error",
    signal: AbortSignal.timeout(answerTimeout),
  }).catch(() => undefined);
  if (answer?.status === 401) throw unauthorized(address);
  if (!answer) throw unreachable(url);
  return answerIn(answer.status, await answer.text().catch(() => ""));
}

function answerIn(status: number, text: string): Answer {
  try {
    const content: unknown = JSON.parse(text);
    const message = isFields(content) ? textIn(content, "message") : undefined;
    if (message !== undefined) return { status, message };
  } catch {
    // Something else than a service of infrasync has answered.
  }
  return { status: 0, message: "what answers there is no service of infrasync" };
}
