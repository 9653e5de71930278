import { once } from "node:events";
// oxlint-disable-next-line eslint/no-restricted-imports -- a socket of this machine has no proxy
import { type IncomingMessage, request } from "node:http";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { sendOnce, type PlainRequest } from "../../core/api/index.ts";
import { isFields, parsedJson, textIn } from "../../core/values/json.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { escapeControl, shorten } from "../../core/values/text.ts";
import {
  type ControlAnswer,
  controlAnswerIn,
  controlMessage,
  findSocket,
  type Identity,
  readPageToken,
} from "../../reconciler/index.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { readDatabase } from "../repository/database.ts";
import { withStatus } from "../progress/with-status.ts";
import type { Console } from "../terminal/console.ts";
import { dataOf } from "./fleet/place.ts";
import type { PageFlags, PagePlace } from "./page.ts";
import { authorization, readServiceAddress, type ServiceAddress } from "./service-address.ts";
import { codeOf } from "../../core/values/error-code.ts";

/** How long the service may take to answer, in milliseconds. */
const answerTimeout = 10_000;

/** A question to a running service: its status, or an action. */
type Question = { type: "status"; contains?: string | undefined } | { type: "action"; action: object };

/** The way to a running service: the first that answers. @throws CommandError when no service is there */
export type ServiceEndpoint = (question: Question) => Promise<ControlAnswer>;

function pathOf(question: Question): string {
  if (question.type === "action") return "requests";
  return `status.json${question.contains === undefined ? "" : `?contains=${encodeURIComponent(question.contains)}`}`;
}

/** Flags that locate a running service. */
export interface EndpointFlags extends PageFlags {
  url?: string;
  data?: string;
  database?: string;
  /** One of many sources. */
  source?: string;
}

/** The way to a running service: `--url`, else its data folder, its database, or the address of its page. A folder of a flag is never replaced. */
export async function readEndpoint(
  flags: EndpointFlags,
  page: PagePlace | undefined,
  console: Console,
  problems: Problem[],
): Promise<ServiceEndpoint> {
  const { env } = console.io;
  const address = readServiceAddress(flags, page, console.io, problems);
  const database = await readDatabase(flags, console, problems);
  const given = flags.data ?? (env["INFRASYNC_DATA"] || undefined);
  const data = given === undefined ? undefined : resolve(given);
  const { url, source } = flags;
  problems.push(...contradictions(flags));
  const ask: ServiceEndpoint = async (question) => {
    if (url !== undefined) return askOverHttp(address, question, env);
    const answer = data === undefined ? undefined : await askFolder(data, source, question);
    if (answer) return answer;
    if (database !== undefined && source !== undefined) return askDatabase(database, source, question);
    if (data !== undefined && (flags.data !== undefined || !address)) throw nobodyIn(data, source);
    return askOverHttp(address, question, env);
  };
  return (question) =>
    withStatus(console, (status) => {
      status.working("waiting for the answer of the service");
      return ask(question);
    });
}

/** Flags that lead to two services, of which only one would be asked. */
function contradictions({ url, data, database, listen, source }: EndpointFlags): Problem[] {
  const refuse = (message: string, advice: string): Problem => ({ code: "argument", message, advice });
  const ways = Object.entries({ "--url": url, "--data": data, "--database": database, "--listen": listen });
  const [first, ...others] = ways.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  // The folder of a worker leads to its own sources, and the database to those of the others.
  const second = others.find((name) => !(first === "--data" && name === "--database"));
  return [
    ...(first !== undefined && second !== undefined
      ? [refuse(`${first} and ${second} name two services`, "leave one of them out")]
      : []),
    ...(database !== undefined && source === undefined
      ? [refuse("--database leads to a service only with --source", "name the source with --source")]
      : []),
  ];
}

/** Asks at the socket of a source, or at that of its service; undefined: no service answers. */
async function askFolder(
  data: string,
  source: string | undefined,
  question: Question,
): Promise<ControlAnswer | undefined> {
  if (source === undefined) return askSocket(data, "", question);
  return (
    (await askSocket(dataOf(data, source), "", question)) ??
    (await askSocket(data, `/sources/${encodeURIComponent(source)}`, question))
  );
}

async function askSocket(
  data: string,
  within: string,
  question: Question,
): Promise<ControlAnswer | undefined> {
  const socket = await findSocket(data);
  if (!socket) return undefined;
  const isAction = question.type === "action";
  try {
    const asking = request({
      socketPath: socket.path,
      path: `${within}/${pathOf(question)}`,
      method: isAction ? "POST" : "GET",
      headers: isAction ? { "content-type": "application/json" } : {},
      timeout: answerTimeout,
    });
    asking.on("timeout", () =>
      asking.destroy(new Error(`the service with the data folder ${data} does not answer`)),
    );
    asking.end(isAction ? JSON.stringify(question.action) : undefined);
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    return { status: response.statusCode ?? 0, body: parsedJson(await textOf(response)) };
  } catch (error) {
    // The process that had the socket was killed.
    const code = codeOf(error);
    if (code === "ECONNREFUSED" || code === "ENOENT") return undefined;
    throw error;
  } finally {
    await socket.close();
  }
}

async function askOverHttp(
  address: ServiceAddress | undefined,
  question: Question,
  environment: PlainRequest["environment"],
): Promise<ControlAnswer> {
  if (!address)
    throw unreachable("the address of the service is not known", {
      code: "usage",
      advice: "set the address of its page with --listen or --url",
    });
  const { url, token } = address;
  const { answer, between } = await sendOnce(`${url}/${pathOf(question)}`, {
    ...(question.type === "action" && { method: "POST", text: JSON.stringify(question.action) }),
    headers: { ...(await authorization(token)), "content-type": "application/json" },
    environment,
  });
  if (between)
    throw unreachable(`${url}: ${between.what}`, { exit: exitCodes.failed, advice: between.advice });
  if (!answer || (answer.status >= 300 && answer.status < 400))
    throw unreachable(`no service answers at ${url}`, { exit: exitCodes.failed, advice: startOne });
  const { status } = answer;
  if (status === 401) throw await unauthorized(address);
  if (status === 404 && url.includes("/sources/")) {
    const name = decodeURIComponent(url.slice(url.lastIndexOf("/") + 1));
    throw unreachable(`no source ${escapeControl(name)} runs at this service`, {
      exit: exitCodes.failed,
      advice: "infrasync reconcile status names its sources",
    });
  }
  const body = answer.body.toString();
  const read = { status, body: parsedJson(body) };
  const message = messageIn(read);
  if (status !== 403 || (message !== undefined && question.type === "action")) return read;
  const words = shorten(escapeControl(message ?? body.trim()), 200);
  throw unreachable(`${url} refuses this (403)${words === "" ? "" : `: ${words}`}`, {
    code: "forbidden",
    advice: "name the file of a token whose role allows it with INFRASYNC_UI_TOKEN_FILE",
  });
}

/** What to do where no service answers. */
export const startOne = "start infrasync reconcile, or set the address of its page with --listen or --url";

function unreachable(
  message: string,
  {
    code = "unreachable",
    exit = exitCodes.invalid,
    advice,
  }: { code?: "unreachable" | "usage" | "forbidden"; exit?: number; advice: string },
): CommandError {
  return new CommandError(code, exit, { message, advice });
}

async function unauthorized({ url, token }: ServiceAddress): Promise<CommandError> {
  const [why, advice] =
    token === undefined
      ? ["requires a token", "set its file with INFRASYNC_UI_TOKEN_FILE"]
      : (await readPageToken(token)) === undefined
        ? [
            `requires a token, and ${escapeControl(token)} is missing, empty or not readable`,
            "name the file of a token with INFRASYNC_UI_TOKEN_FILE",
          ]
        : [
            `does not know the token in ${escapeControl(token)}`,
            "ask the operator of the service which tokens have a role there",
          ];
  return new CommandError("unauthorized", exitCodes.failed, {
    message: `the service at ${url} ${why}`,
    advice,
  });
}

/** The message of an answer; undefined: something else than a service of infrasync has answered. */
export function messageIn({ body }: ControlAnswer): string | undefined {
  return isFields(body) ? textIn(body, "message") : undefined;
}

function nobodyIn(data: string, source: string | undefined): CommandError {
  const hasMany = existsSync(join(data, "sources"));
  const who = source === undefined ? "no service" : `no service that has the source ${escapeControl(source)}`;
  return unreachable(`${who} works with the data folder ${escapeControl(data)}`, {
    advice:
      hasMany && source === undefined
        ? "this is the folder of a service with many sources: start it, or name another folder"
        : "check the folder; where the service runs on another machine, name it with --url, or the database of its workers with --database and --source",
  });
}

async function askDatabase(url: string, source: string, question: Question): Promise<ControlAnswer> {
  const { askWorker, DatabaseError } = await import("../../reconciler/database/index.ts");
  try {
    const message = (who: Identity) =>
      question.type === "status"
        ? controlMessage({ type: "status", contains: question.contains })
        : controlMessage({ type: "request", request: question.action, who, from: "the database" });
    const answer = controlAnswerIn(await askWorker(url, source, message));
    if (answer) return answer;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const { message, advice } = error;
    throw unreachable(message, { exit: exitCodes.failed, advice });
  }
  throw unreachable(`no worker of this database runs the source ${source}`, {
    advice:
      "check its name: infrasync reconcile status shows the sources; a source that moves to another worker is back in half a minute",
  });
}
