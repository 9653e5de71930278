import { type Budget, remainingIn } from "./budget.ts";
import { type Clock, systemClock } from "./clock.ts";
import { InterruptedError, UnclearOutcomeError, UnexpectedAnswerError } from "./errors.ts";
import { Gate, type How } from "./gate.ts";
import { HiddenTexts } from "../hidden-texts.ts";
import type { Purpose } from "./ledger.ts";
import type { RequestLine } from "./operation.ts";
import { judge, type Judgement, type FailedAttempt } from "./judge.ts";
import { readPages, readParts, usualPages } from "./pages.ts";
import { proxyFor } from "./proxy.ts";
import { holdsToken, tokenMark } from "../redact.ts";
import { failedTry, httpDate, retryDelay } from "./retry-delay.ts";
import { authorization, checkedBaseUrl, type ClientSettings, type ServerHabits } from "./settings.ts";
import { RequestMeter, type Spent } from "./meter.ts";
import { requestKey, type Sharing } from "./shared-reads.ts";
import { type Answer, createTransport, type NoAnswer } from "./transport.ts";

/** The query of a request. */
export type Query = Record<string, string | number | boolean>;

/**
 * The API as all may use it: it reads. What writes asks `writing` for a client that can. Every request throws an ApiError if it fails, and only a NotFoundError means that the
 * resource does not exist. Answers are JSON of any shape.
 */
export interface Client {
  /** Sends a GET, and repeats it after failures that may pass, such as a broken connection. */
  get(path: string, query?: Query): Promise<unknown>;
  /**
   * Reads all elements of a list, page by page.
   *
   * @param startMember for lists without page numbers: the query parameter for the id after which a page begins
   */
  list(path: string, query?: Query, startMember?: string): Promise<unknown[]>;
  /** Reads a text in place of JSON. It may be a secret: error messages quote the answer only if the server has refused the request. */
  text(path: string, type: string): Promise<string>;
  /** Marks a text as a secret: later messages do not show it, even if the server quotes it. */
  hide(text: string): void;
  /** A text without the token of the client and the texts that were passed to `hide`. */
  redact(text: string): string;
  /** Whether a text contains the token of the client. */
  holdsToken(text: string): boolean;
  /**
   * The same client for work that has to be finished once it has begun: the signal ends none of its requests and
   * retries, only its waits for the quota.
   */
  readonly finishing: Client;
  /** The same as `finishing` for requests that save data: the request cap does not stop them either. */
  readonly saving: Client;
  /**
   * Milliseconds since 1970 by the clock of the server, from the header `Date` of its last answer; by the clock of this
   * machine as long as no answer has that header.
   */
  readonly serverTime: number;
  /** Milliseconds by which the clock of the server is ahead of that of this machine. */
  readonly serverAhead: number;
  readonly server: ServerHabits;
  /** The URL of the API, without a slash at its end. */
  readonly baseUrl: string;
  /** The quota in the newest answer of the server. */
  readonly budget: Budget;
  /**
   * The same client for one run: the meter counts its requests, and has the cap of the run.
   *
   * @param signature by which the events of its writes are known
   */
  metered(meter: RequestMeter, signature?: string): Client;
  /** The same client for requests of a service: with a ledger, people go first, and reads of live state last. */
  spendingFor(purpose: Purpose): Client;
  /** The same client, whose reads can use answers that others have received; those of `finishing` and `saving` never do. */
  sharing(sharing: Sharing): Client;
  readonly meter: RequestMeter;
  /** The requests that its meter has counted so far, repetitions included. */
  readonly spent: Spent;
}

/** A client that can also write. Only what carries out approved plans may ask for one. */
export interface WritingClient extends Client {
  /**
   * Sends a POST once, and returns the answer; undefined if it has no body.
   *
   * @throws UnclearOutcomeError if the server may have carried it out: check before sending it again
   */
  post(path: string, body?: unknown): Promise<unknown>;
  /** The same as `post`, with the status of the answer: 202 means that the server has accepted the request and not yet carried it out. */
  submit(path: string, body?: unknown, options?: SubmitOptions): Promise<Submitted>;
  /**
   * Sends a PUT once, and returns the answer; undefined if it has no body.
   *
   * @throws UnclearOutcomeError if the server may have carried it out: check before sending it again
   */
  put(path: string, body: unknown): Promise<unknown>;
  /**
   * Sends a DELETE once, and returns the status of the answer: 202 means accepted and not yet carried out.
   *
   * @throws UnclearOutcomeError if the server may have carried it out: check before sending it again
   */
  delete(path: string, body?: unknown): Promise<{ status: number }>;
  readonly finishing: WritingClient;
  readonly saving: WritingClient;
}

/** Options of a POST. */
export interface SubmitOptions {
  /** The answer has a secret: no message quotes one that may be a success. */
  isAnswerSecret?: boolean;
}

interface RequestOptions extends SubmitOptions {
  /** The media type of the answer, which is text; default: JSON. */
  textType?: string;
}

/** The answer to a POST. */
export interface Submitted {
  /** Undefined where the answer has no body. */
  value: unknown;
  status: number;
}

/** Where requests are counted, and for whom they are sent. */
interface Spending {
  meter: RequestMeter;
  purpose: Purpose;
  /** Undefined: it shares its reads with nobody. */
  sharing?: Sharing;
  /** Which run sends them. */
  signature?: string | undefined;
}

/** Whether a status says that nothing was done. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

const DEFAULT_CONCURRENCY = 10;
const DEFAULT_TIMEOUT = 60_000;
const DEFAULT_SIZE = 64 * 1024 * 1024;

/**
 * Makes a client. A process should have one for each token, because all requests of a client wait for the quota together.
 *
 * @throws ClientSettingsError when the base URL, the token or the proxy cannot be used.
 */
export function createClient(settings: ClientSettings, clock: Clock = systemClock): Client {
  return createWritingClient(settings, clock);
}

/** Makes a client that can write. @throws ClientSettingsError */
export function createWritingClient(settings: ClientSettings, clock: Clock = systemClock): WritingClient {
  const baseUrl = checkedBaseUrl(settings);
  const hidden = settings.hidden ?? new HiddenTexts();
  hidden.hide(settings.token, tokenMark);
  /** How far the clock of the server is ahead, in milliseconds. */
  let ahead = 0;
  const { server = {} } = settings;
  const gate = new Gate(settings, settings.concurrency ?? DEFAULT_CONCURRENCY, clock);
  const send = createTransport({
    authorization: authorization(settings),
    ...(settings.program && { program: settings.program }),
    proxy: proxyFor(baseUrl, settings.environment ?? {}),
    requestTimeout: settings.requestTimeout ?? DEFAULT_TIMEOUT,
    maxResponseSize: settings.maxResponseSize ?? DEFAULT_SIZE,
  });

  async function exchange(
    operation: RequestLine,
    query: Query,
    body: unknown,
    signal: AbortSignal | undefined,
    accept: string | undefined,
    signature: string | undefined,
  ): Promise<Answer | NoAnswer> {
    if (operation.method !== "GET") await permitted(operation);
    const url = new URL(baseUrl + operation.path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const started = clock.now();
    const reply = await send({
      method: operation.method,
      url,
      body,
      signal: operation.method === "GET" ? signal : undefined,
      accept,
      signature: operation.method === "GET" ? undefined : signature,
    });
    const date = httpDate(reply.headers["date"]);
    if (date !== undefined) ahead = date - clock.now();
    const fields = {
      ...operation,
      status: reply.kind === "answer" ? reply.status : reply.reason,
      milliseconds: clock.now() - started,
      remaining: remainingIn(reply.headers),
    };
    settings.logger?.debug(fields, "request");
    return reply;
  }

  async function permitted(operation: RequestLine): Promise<void> {
    try {
      await settings.beforeWrite?.();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new InterruptedError(`${operation.method} ${operation.path} was not sent: ${reason}`, operation);
    }
  }

  async function pause(
    operation: RequestLine,
    tries: number,
    reply: Answer | NoAnswer,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const now = clock.now();
    const delay = retryDelay(failedTry(reply, tries), now, clock.random());
    settings.onWait?.({ reason: "retry", until: new Date(now + delay), attempt: tries });
    await clock.sleep(delay, signal);
    if (!signal?.aborted) return;
    throw new InterruptedError(`${operation.method} ${operation.path} was interrupted`, operation);
  }

  async function request(
    operation: RequestLine,
    how: How,
    { meter, purpose, signature }: Spending,
    query: Query = {},
    body?: unknown,
    { isAnswerSecret = false, textType }: RequestOptions = {},
  ): Promise<Submitted> {
    const { method } = operation;
    const signal = how === "until the signal" ? settings.signal : undefined;
    for (let tries = 1; ;) {
      const reply = await gate.pass(operation, how, meter, purpose, () =>
        exchange(operation, query, body, signal, textType, signature),
      );
      const isRefused = reply.kind === "answer" && isRefusal(reply.status);
      const isUnseen = (isAnswerSecret && !isRefused) || hidden.hasShort(body);
      const verdict: Judgement = judge(operation, reply, isUnseen ? () => "[secret]" : hidden.redact, {
        ...server,
        textType,
      });
      if (verdict.kind === "done") return verdict;
      if (verdict.kind === "limited") continue; // The gate has closed: the next try waits for it, or throws.
      const { error, carriedOut } = verdict;
      if (method !== "GET" && carriedOut === "perhaps")
        throw new UnclearOutcomeError(`${method} ${operation.path} may or may not have been carried out`, {
          ...operation,
          cause: error,
          advice: "check before sending it again",
          words: `. ${error.message}`,
        });
      if (!mayRepeat(method, verdict, tries)) throw error;
      await pause(operation, tries, reply, signal);
      tries += 1;
    }
  }

  const valueOf = async (...args: Parameters<typeof request>): Promise<unknown> =>
    (await request(...args)).value;

  /** Takes the answer of others, or sends the requests and keeps their answers. */
  async function shared<Value>(
    key: string,
    how: How,
    { sharing }: Spending,
    ask: () => Promise<Value>,
  ): Promise<Value> {
    // What finishes something relies on nothing but its own reads.
    if (!sharing || how !== "until the signal") return ask();
    const found = await sharing.reads.find(key, sharing.since);
    if (found) return found.answer as Value;
    const begun = clock.now();
    try {
      const answer = await ask();
      sharing.reads.keep(key, begun, answer);
      return answer;
    } catch (error) {
      sharing.reads.giveUp(key);
      throw error;
    }
  }

  const pages = usualPages();
  const connect = (how: How, spending: Spending): WritingClient => ({
    get: (path, query = {}) =>
      shared(requestKey(path, query), how, spending, () =>
        valueOf({ method: "GET", path }, how, spending, query),
      ),
    list(path, query = {}, startMember) {
      const getPage = (page: Query) => valueOf({ method: "GET", path }, how, spending, { ...query, ...page });
      const unexpected = (what: string) =>
        new UnexpectedAnswerError(`Unexpected answer to GET ${path}: ${what}`, { method: "GET", path });
      return shared(`all of ${requestKey(path, query)}`, how, spending, () =>
        startMember === undefined
          ? readPages(getPage, unexpected, pages)
          : readParts(getPage, unexpected, startMember),
      );
    },
    async text(path, textType) {
      const options = { isAnswerSecret: true, textType };
      return String(await valueOf({ method: "GET", path }, how, spending, {}, undefined, options));
    },
    post: (path, body) => valueOf({ method: "POST", path }, how, spending, {}, body),
    submit: (path, body, options) => request({ method: "POST", path }, how, spending, {}, body, options),
    put: (path, body) => valueOf({ method: "PUT", path }, how, spending, {}, body),
    async delete(path, body) {
      const { status } = await request({ method: "DELETE", path }, how, spending, {}, body);
      return { status };
    },
    server,
    baseUrl,
    redact: hidden.redact,
    hide: (text) => hidden.hide(text),
    holdsToken: (text) => holdsToken(text, settings.token),
    get finishing() {
      return connect(how === "saving" ? "saving" : "finishing", spending);
    },
    get saving() {
      return connect("saving", spending);
    },
    get serverTime() {
      return clock.now() + ahead;
    },
    get serverAhead() {
      return ahead;
    },
    get budget() {
      const spenders = settings.ledger?.spenders ?? [];
      return { ...gate.meter.read(clock.now()), ...(spenders.length > 0 && { spenders }) };
    },
    metered: (meter, signature) => connect(how, { ...spending, meter, signature }),
    spendingFor: (purpose) => connect(how, { ...spending, purpose }),
    sharing: (sharing) => connect(how, { ...spending, sharing }),
    meter: spending.meter,
    get spent() {
      return spending.meter.read();
    },
  });
  return connect("until the signal", {
    meter: new RequestMeter(settings.maxRequests),
    purpose: "people",
  });
}

const MOST_TRIES = 5;

/**
 * Whether a failed request is sent again. A read is, whatever became of the first; a write only when it was certainly not
 * carried out.
 *
 * @param tries how often the request was sent, this time included
 */
export function mayRepeat(method: RequestLine["method"], failure: FailedAttempt, tries: number): boolean {
  if (tries >= MOST_TRIES || !failure.mayPass) return false;
  return method === "GET" || failure.carriedOut === "no";
}
