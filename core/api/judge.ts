import {
  InterruptedError,
  ServerError,
  UnexpectedAnswerError,
  UnreachableError,
  type ApiError,
  type RequestFailure,
} from "./errors.ts";
import type { RequestLine } from "./operation.ts";
import type { Remedy } from "../problems/remedy.ts";
import { betweenOf, isPage, obstacleOf } from "./obstacle.ts";
import { requestedTime } from "./retry-delay.ts";
import { escapeControl, shorten } from "../values/text.ts";
import { plainCause, type Redact } from "../redaction/redact.ts";
import { refusalOf } from "./refusals.ts";
import { type HttpAnswer, type NoAnswer } from "./transport.ts";
import { isFields } from "../values/json.ts";
import { codeOf } from "../values/error-code.ts";

const LONGEST_MESSAGE = 500;
const LONGEST_EXCERPT = 200;
// Far longer than the excerpt, even when a long token is removed from it.
const EXCERPT_SOURCE = 64 * 1024;

// Answers have a dozen levels. A value nearly as deep as the stack would crash the process later.
const DEEPEST = 100;

/** Undefined for anything but JSON in UTF-8: an empty or truncated body, a page of a proxy, extreme nesting. */
function parseJson(body: Buffer): { value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return isDeeper(value, DEEPEST) ? undefined : { value };
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (than === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, than - 1)) return true;
  return false;
}

/** The server's message for the end of a message: its `message`, else the beginning of the body, which may be of a proxy. */
function serverWords(body: Buffer, redact: Redact): string {
  const value = parseJson(body)?.value;
  const fields = isFields(value) ? [value["message"], value["error"]] : [];
  const message = fields.find((text) => typeof text === "string" && text !== "");
  const [words, longest] =
    typeof message === "string"
      ? [message, LONGEST_MESSAGE]
      : [body.toString("utf8", 0, EXCERPT_SOURCE).trim(), LONGEST_EXCERPT];
  // Redact first: a truncated token would not be recognised.
  const who = value === undefined ? "answer" : "server";
  if (words === "" || words === "{}") return "";
  return ` The ${who} says: "${shorten(escapeControl(redact(words)), longest)}"`;
}

/** A failed try. */
export interface FailedAttempt {
  kind: "failed";
  error: ApiError;
  /** Whether the server may have carried out the request. */
  carriedOut: "no" | "perhaps";
  /** Whether the same request may succeed a moment later. */
  mayPass: boolean;
}

export type Judgement =
  | { kind: "done"; value: unknown; status: number }
  | { kind: "limited" }
  | FailedAttempt;

/** The meaning of a reply to a request. Pure. */
export function judge(
  operation: RequestLine,
  reply: HttpAnswer | NoAnswer,
  redact: Redact,
  { now, textType }: { now: number; textType?: string | undefined },
): Judgement {
  return reply.kind === "none"
    ? judgeSilence(operation, reply, redact)
    : judgeAnswer(operation, reply, redact, now, textType);
}

function judgeAnswer(
  operation: RequestLine,
  answer: HttpAnswer,
  redact: Redact,
  now: number,
  textType: string | undefined,
): Judgement {
  const { status, body } = answer;
  const parsed = parseJson(body);
  const resetAt = status === 408 || status >= 500 ? requestedTime(answer, now) : undefined;
  const fail = (
    errorClass: new (message: string, failed: RequestFailure) => ApiError,
    what: string,
    advice: string,
    outcome: Pick<FailedAttempt, "carriedOut" | "mayPass">,
  ): FailedAttempt => {
    const words = `.${serverWords(body, redact)}`;
    const error = new errorClass(`${status} on ${operation.method} ${operation.path}: ${what}`, {
      ...operation,
      status,
      advice,
      words,
      resetAt,
    });
    return { kind: "failed", error, ...outcome };
  };
  if (status >= 200 && status < 300) {
    const isText = textType !== undefined && describeBody(body) === noJson;
    if (isText) return { kind: "done", value: body.toString("utf8"), status };
    if (parsed && textType === undefined) return { kind: "done", value: parsed.value, status };
    if (body.length === 0 && mayBeEmpty(operation, status)) return { kind: "done", value: undefined, status };
    const what = `${describeBody(body)} where ${textType ?? "JSON"} was expected`;
    const advice = "check that the base URL is the API's and that no proxy answers for it";
    return fail(UnexpectedAnswerError, what, advice, perhaps);
  }
  if (status === 429) return { kind: "limited" };
  const between = betweenOf(answer);
  if (status === 408 || status >= 500) {
    const { what, advice } = between ?? { what: "the server failed", advice: "try again later" };
    return fail(ServerError, what, resetAt ? `try again after ${resetAt.toISOString()}` : advice, perhaps);
  }
  if (status === 404 && body.length > 0 && !parsed) {
    // A wrong base URL must not make every resource look deleted.
    const what = `${describeBody(body)}, so the answer is not from the API`;
    return fail(UnexpectedAnswerError, what, "check the base URL, and any proxy", perhaps);
  }
  if (between) return fail(UnexpectedAnswerError, between.what, between.advice, no);
  if (status >= 400) {
    const { errorClass, what, advice } = refusalOf(
      status,
      serverWords(body, (text) => text),
    );
    return fail(errorClass, what, advice, no);
  }
  if (status === 304) {
    const advice = "check whether a proxy in between caches answers";
    return fail(UnexpectedAnswerError, "the answer of a cache", advice, { ...perhaps, mayPass: false });
  }
  const target = shorten(escapeControl(redact(answer.headers.location ?? "nowhere")), 200);
  const what = `a redirect to ${target}, which is not followed with the token`;
  return fail(UnexpectedAnswerError, what, "set the base URL to the URL of the API", {
    ...perhaps,
    mayPass: false,
  });
}

const no = { carriedOut: "no", mayPass: false } as const;
const perhaps = { carriedOut: "perhaps", mayPass: true } as const;

/** A creation answers with the new resource; other writes may have an empty answer. */
function mayBeEmpty({ method }: RequestLine, status: number): boolean {
  return method === "DELETE" || (method !== "GET" && status !== 201 && status !== 202);
}

const noJson = "an answer that is not JSON";

function describeBody(body: Buffer): string {
  if (body.length === 0) return "an empty answer";
  return isPage(body) ? "an HTML page" : noJson;
}

function judgeSilence(operation: RequestLine, silence: NoAnswer, redact: Redact): FailedAttempt {
  const where = `${operation.method} ${operation.path}`;
  const carriedOut = silence.sent ? "perhaps" : "no";
  const cause = plainCause(silence.error, redact);
  const failed = { ...operation, cause };
  const fail = (error: ApiError, mayPass: boolean): FailedAttempt => ({
    kind: "failed",
    error,
    carriedOut,
    mayPass,
  });
  switch (silence.reason) {
    case "aborted":
      return fail(new InterruptedError(`${where} was interrupted`, operation), false);
    case "size": {
      const what = `the answer to ${where} is too large: ${cause.message}`;
      const advice = "check that the base URL is the API's";
      return fail(new UnexpectedAnswerError(what, { ...failed, advice }), false);
    }
    case "timeout": {
      const what = `no answer to ${where} in time: ${cause.message}`;
      const { proxy } = silence.route;
      const advice = `try again later${proxy ? `, or check the proxy ${proxy.origin} (${proxy.variable})` : ""}`;
      const remedies: Remedy[] = [{ setting: "base_url" }];
      return fail(new UnreachableError(what, { ...failed, advice, remedies }), true);
    }
    case "connection": {
      if (silence.sent) {
        const what = `no complete answer to ${where}: ${cause.message}`;
        return fail(
          new UnreachableError(what, { ...failed, advice: "the connection broke; try again" }),
          true,
        );
      }
      const { route } = silence;
      const { what, advice, isLasting } = obstacleOf(codeOf(silence.error) ?? "", cause.message, route);
      const message = `no connection to ${route.server} for ${where}: ${what}`;
      return fail(new UnreachableError(message, { ...failed, advice }), !isLasting);
    }
    default:
      return silence.reason satisfies never;
  }
}
