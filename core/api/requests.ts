import { type Budget, remainingIn } from "./budget.ts";
import type { Clock } from "./clock.ts";
import { InterruptedError, UnclearOutcomeError } from "./errors.ts";
import { Gate, type How } from "./gate.ts";
import { HiddenTexts } from "../redaction/hidden-texts.ts";
import type { Purpose } from "./ledger.ts";
import type { RequestLine } from "./operation.ts";
import { type FailedAttempt, judge, type Judgement } from "./judge.ts";
import type { RequestMeter } from "./meter.ts";
import { proxyFor } from "./proxy.ts";
import { holdsToken, tokenPlaceholder } from "../redaction/redact.ts";
import { traced, type Work } from "../values/trace.ts";
import { failedTry, httpDate, LONGEST_BACKOFF, LONGEST_RESET, retryDelay } from "./retry-delay.ts";
import { isProof, proofOf } from "./proof.ts";
import { ServerPages } from "./server-pages.ts";
import { authorization, checkedBaseUrl, type ClientSettings } from "./settings.ts";
import { type HttpAnswer, createTransport, type NoAnswer, type Send } from "./transport.ts";

/** The query of a request. */
export type Query = Record<string, string | number | boolean>;

export interface PostAnswer {
  /** Undefined: the answer has no body. */
  value: unknown;
  status: number;
}

/** What an event of the organization says of the request that it is about. */
export interface NotedMaker {
  program: string | undefined;
  signature: string | undefined;
  /** Undefined: the request came with no proof. */
  proof: string | undefined;
  /** Milliseconds since 1970, by the clock of the server. */
  time: number;
}

export interface RequestAccount {
  meter: RequestMeter;
  purpose: Purpose;
  /** The run that sends them. */
  signature?: string | undefined;
  /** The program of the run; default: that of the client. */
  program?: string;
  /** What its writes prove to make with the token; absent: none proves anything. */
  about?: string;
}

export interface RequestOptions {
  /** The answer has a secret: no message quotes one that may be a success. */
  isAnswerSecret?: boolean;
  query?: Query;
  body?: unknown;
  /** The media type of a text answer; default: JSON. */
  textType?: string;
}

/** Whether a status tells that nothing was done. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** The most sends of a read that times out: another try takes as long. */
const MOST_UNANSWERED = 2;

const DEFAULT_CONCURRENCY = 10;
const DEFAULT_TIMEOUT = 60_000;
const DEFAULT_SIZE = 64 * 1024 * 1024;

/** The requests of one token: each waits at the gate, is judged by its answer, and repeated if that is safe. */
export class ApiRequests {
  readonly #settings: ClientSettings;
  readonly #clock: Clock;
  readonly #gate: Gate;
  readonly #transport: Send;
  readonly baseUrl: string;
  readonly hidden: HiddenTexts;
  readonly pages: ServerPages;
  readonly program: `infrasync` | `infrasync-${string}`;
  readonly #timeout: number;
  /** When the last notice of a missing answer was shown, by a monotonic clock. */
  #reportedAt = -Infinity;
  /** Milliseconds by which the clock of the server is ahead. */
  ahead = 0;

  /** @throws ClientSettingsError when the base URL, the token or the proxy cannot be used. */
  constructor(settings: ClientSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.baseUrl = checkedBaseUrl(settings);
    this.hidden = settings.hidden ?? new HiddenTexts();
    this.hidden.hide(settings.token, tokenPlaceholder);
    this.program = settings.program ?? "infrasync";
    this.pages = new ServerPages(clock, settings.pages);
    this.#gate = new Gate(settings, settings.concurrency ?? DEFAULT_CONCURRENCY, clock);
    this.#timeout = settings.requestTimeout ?? DEFAULT_TIMEOUT;
    this.#transport = createTransport({
      authorization: authorization(settings),
      program: this.program,
      proxy: proxyFor(this.baseUrl, settings.environment ?? {}),
      requestTimeout: this.#timeout,
      maxResponseSize: settings.maxResponseSize ?? DEFAULT_SIZE,
    });
  }

  now(): number {
    return this.#clock.now();
  }

  proves(event: NotedMaker, about: string): boolean {
    const { proof, time } = event;
    return proof !== undefined && isProof(this.#settings.token, proof, event, about, time);
  }

  holdsToken(text: string): boolean {
    return holdsToken(text, this.#settings.token);
  }

  budget(): Budget {
    const spenders = this.#settings.ledger?.spenders ?? [];
    return { ...this.#gate.meter.read(this.now()), ...(spenders.length > 0 && { spenders }) };
  }

  /** Sends a request until it is answered, was refused, or may have been carried out. */
  async send(
    operation: RequestLine,
    how: How,
    { meter, purpose, ...sender }: RequestAccount,
    options: RequestOptions,
  ): Promise<PostAnswer> {
    const { method } = operation;
    const { body, isAnswerSecret = false, textType } = options;
    const signal = how === "until the signal" ? this.#settings.signal : undefined;
    for (let tries = 1; ;) {
      const reply = await this.#gate.pass(operation, how, meter, purpose, () =>
        this.#exchange(operation, options, signal, sender, tries),
      );
      const isRefused = reply.kind === "answer" && isRefusal(reply.status);
      const isUnseen = (isAnswerSecret && !isRefused) || this.hidden.hasShort(body);
      const redact = isUnseen ? () => "[secret]" : this.hidden.redact;
      const verdict: Judgement = judge(operation, reply, redact, { now: this.now(), textType });
      if (verdict.kind === "done") return verdict;
      if (verdict.kind === "limited") {
        // The gate has closed: the next try waits for it, or throws. A proxy that counts answers may have passed a write on.
        if (method !== "GET") this.#gate.refuse(operation);
        continue;
      }
      const { error, carriedOut } = verdict;
      if (method !== "GET" && carriedOut === "perhaps")
        throw new UnclearOutcomeError(`${method} ${operation.path} may or may not have been carried out`, {
          ...operation,
          cause: error,
          advice: "check before sending it again",
          words: `. ${error.message}`,
        });
      const wait = error.resetAt && error.resetAt.getTime() - this.now();
      const isSilent = reply.kind === "none" && reply.reason === "timeout" && reply.sent;
      const most = Math.min(this.#settings.mostTries ?? MOST_TRIES, isSilent ? MOST_UNANSWERED : MOST_TRIES);
      const hasEnded = (wait ?? 0) > this.#longestWait || tries >= most;
      if (hasEnded || !mayRepeat(method, verdict, tries)) throw error;
      await this.#pause(operation, tries, reply, signal);
      tries += 1;
    }
  }

  async #exchange(
    operation: RequestLine,
    { query = {}, body, textType: accept }: RequestOptions,
    signal: AbortSignal | undefined,
    { program = this.program, signature, about }: Pick<RequestAccount, "signature" | "program" | "about">,
    tries: number,
  ): Promise<HttpAnswer | NoAnswer> {
    const { method, path } = operation;
    const isRead = method === "GET";
    if (!isRead) await this.#permitted(operation);
    const url = new URL(this.baseUrl + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const started = this.now();
    const request = { method, url, body, accept };
    const proof =
      signature !== undefined && about !== undefined
        ? ` proved ${proofOf(this.#settings.token, { program, signature }, about, started + this.ahead)}`
        : "";
    const sender = { program, signature: signature && signature + proof };
    const voice = this.#tellOfSilence(tries);
    const reply = await (
      isRead
        ? this.#transport({ ...request, signal })
        : tracedWrite(operation, () => this.#transport({ ...request, ...sender }))
    ).finally(() => clearInterval(voice));
    const date = httpDate(reply.headers["date"]);
    if (date !== undefined) this.ahead = date - this.now();
    const fields = {
      ...operation,
      status: reply.kind === "answer" ? reply.status : reply.reason,
      milliseconds: this.now() - started,
      remaining: remainingIn(reply.headers),
    };
    this.#settings.logger?.debug(fields, "request");
    return reply;
  }

  /** The longest wait for a server, in milliseconds; a longer one ends the run with the time to come back. */
  get #longestWait(): number {
    const { onQuota, quotaPatience = 0 } = this.#settings;
    return onQuota === "wait" ? LONGEST_RESET : Math.max(quotaPatience, LONGEST_BACKOFF);
  }

  /** Reports, until the timer is cleared, that a request has no answer yet; one of simultaneous requests. */
  #tellOfSilence(attempt: number): NodeJS.Timeout {
    const pause = this.#timeout / 4;
    const until = new Date(this.now() + this.#timeout);
    const tell = () => {
      const now = performance.now();
      if (now - this.#reportedAt < pause / 2) return;
      this.#reportedAt = now;
      this.#settings.onWait?.({ reason: "answer", until, attempt });
    };
    return setInterval(tell, pause).unref();
  }

  async #permitted(operation: RequestLine): Promise<void> {
    try {
      await this.#settings.beforeWrite?.();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new InterruptedError(`${operation.method} ${operation.path} was not sent: ${reason}`, {
        ...operation,
        cause,
      });
    }
  }

  async #pause(
    operation: RequestLine,
    tries: number,
    reply: HttpAnswer | NoAnswer,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const now = this.now();
    const delay = retryDelay(failedTry(reply, tries), now, this.#clock.random());
    this.#settings.onWait?.({ reason: "retry", until: new Date(now + delay), attempt: tries });
    await this.#clock.sleep(delay, signal);
    if (!signal?.aborted) return;
    throw new InterruptedError(`${operation.method} ${operation.path} was interrupted`, operation);
  }
}

function tracedWrite(
  { method, path }: RequestLine,
  write: () => Promise<HttpAnswer | NoAnswer>,
): Promise<HttpAnswer | NoAnswer> {
  const attributes: Work["attributes"] = { "http.request.method": method, "url.path": path };
  return traced("write", attributes, async () => {
    const reply = await write();
    if (reply.kind === "answer") attributes["http.response.status_code"] = reply.status;
    else attributes["error.type"] = reply.reason;
    return reply;
  });
}

const MOST_TRIES = 5;

/** Whether a failed request is repeated: a read always, a write only if it was certainly not carried out. */
export function mayRepeat(method: RequestLine["method"], failure: FailedAttempt, tries: number): boolean {
  if (tries >= MOST_TRIES || !failure.mayPass) return false;
  return method === "GET" || failure.carriedOut === "no";
}
