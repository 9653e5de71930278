import type { Budget } from "./budget.ts";
import { type Clock, systemClock } from "./clock.ts";
import { unexpectedAnswer } from "./errors.ts";
import type { How } from "./gate.ts";
import type { Purpose } from "./ledger.ts";
import type { RequestLine } from "./operation.ts";
import { readParts } from "./list-page.ts";
import type { ListNotes } from "./list-evidence.ts";
import { readPages } from "./pages.ts";
import {
  ApiRequests,
  type NotedMaker,
  type Query,
  type RequestOptions,
  type RequestAccount,
  type PostAnswer,
} from "./requests.ts";
import type { ClientSettings } from "./settings.ts";
import { RequestMeter, type Spent } from "./meter.ts";
import { requestKey, type SharedReadsUse } from "./shared-reads.ts";

/**
 * The reading API for all callers. `writing` gives a client that can write. Every request throws an ApiError if it
 * fails, and only a NotFoundError means that the resource does not exist. Answers are JSON of any shape.
 */
export interface Client {
  /** Sends a GET, and repeats it after failures that may pass, such as a broken connection. */
  get(path: string, query?: Query): Promise<unknown>;
  /** Reads all elements of a list. */
  list(path: string, query?: Query, about?: ListNotes): Promise<unknown[]>;
  /** Notes that this run has added elements to a list, or removed some: a later reading of it has to agree. */
  hasChanged(path: string, by: number): Promise<void>;
  /** Reads a text in place of JSON. It may be a secret: messages quote only answers that refuse the request. */
  text(path: string, type: string): Promise<string>;
  /** Marks a text as a secret: later messages do not show it, even if the server quotes it. */
  hide(text: string): void;
  /** A text without the token of the client and the texts that were passed to `hide`. */
  redact(text: string): string;
  /** Whether a text contains the token of the client. */
  holdsToken(text: string): boolean;
  /** A client for work that has to be finished: the signal ends only its waits for the quota, not its requests. */
  readonly finishing: Client;
  /** Like `finishing`, for requests that save data: the request cap does not stop them either. */
  readonly saving: Client;
  /** Milliseconds since 1970 by the clock of the server, from its last `Date` header; without one, by this machine. */
  readonly serverTime: number;
  /** Milliseconds by which the clock of the server is ahead of that of this machine. */
  readonly serverAhead: number;
  /** The largest pages that the server grants, as far as is known. */
  readonly pageSize: number;
  /** The URL of the API, without a slash at its end. */
  readonly baseUrl: string;
  readonly budget: Budget;
  /** A client for one run, which the meter counts and caps. @param signature identifies the events of its writes */
  metered(meter: RequestMeter, signature?: string): Client;
  /** The same client, whose writes have another program in the events: `infrasync-preview of anna@laptop`. @param about what they prove to make */
  as(program: `infrasync-${string}`, about: string): Client;
  /** Whether its program made what an event is about, and has proved it, if it proves what it makes. */
  hasMade(event: NotedMaker): boolean;
  /** A client for requests of a service: with a ledger, people go first, and reads of live state last. */
  spendingFor(purpose: Purpose): Client;
  /** A client whose reads can use the answers to others; those of `finishing` and `saving` never do. */
  sharing(sharing: SharedReadsUse): Client;
  readonly meter: RequestMeter;
  /** The requests that its meter has counted so far, repetitions included. */
  readonly spent: Spent;
}

/** A client that can also write, each request once. Only the execution of approved plans may ask for one. @throws UnclearOutcomeError if the server may have carried it out */
export interface WritingClient extends Client {
  post(path: string, body?: unknown): Promise<unknown>;
  /** Like `post`, with the status of the answer: 202 means accepted and not yet carried out. */
  submit(path: string, body?: unknown, options?: RequestOptions): Promise<PostAnswer>;
  put(path: string, body: unknown): Promise<unknown>;
  /** 202 means not yet carried out. */
  delete(path: string, body?: unknown): Promise<{ status: number }>;
  readonly finishing: WritingClient;
  readonly saving: WritingClient;
}

/** How the requests of a client are sent and counted. */
interface ClientMode {
  how: How;
  spending: RequestAccount;
  /** Undefined: it shares its reads with nobody. */
  sharing?: SharedReadsUse;
}

/** Makes a client: one for each token, because its requests wait for the quota together. @throws ClientSettingsError */
export function createClient(settings: ClientSettings, clock: Clock = systemClock): Client {
  return createWritingClient(settings, clock);
}

/** Makes a client that can write. @throws ClientSettingsError */
export function createWritingClient(settings: ClientSettings, clock: Clock = systemClock): WritingClient {
  return new ApiClient(new ApiRequests(settings, clock), {
    how: "until the signal",
    spending: { meter: new RequestMeter(settings.maxRequests), purpose: "people" },
  });
}

class ApiClient implements WritingClient {
  readonly #requests: ApiRequests;
  readonly #mode: ClientMode;
  readonly baseUrl: string;
  readonly redact: (text: string) => string;
  readonly meter: RequestMeter;

  constructor(requests: ApiRequests, mode: ClientMode) {
    this.#requests = requests;
    this.#mode = mode;
    this.baseUrl = requests.baseUrl;
    this.redact = requests.hidden.redact;
    this.meter = mode.spending.meter;
  }

  get(path: string, query: Query = {}): Promise<unknown> {
    return this.#shared(requestKey(path, query), () => this.#read(path, query));
  }

  list(path: string, query: Query = {}, notes: ListNotes = {}): Promise<unknown[]> {
    const { startMember, isReference = false, of } = notes;
    const getPage = (page: Query) => this.#read(path, { ...query, ...page });
    const where = of === undefined ? path : `${path} (${of})`;
    const unexpected = (what: string, advice?: string) => unexpectedAnswer(where, what, advice);
    const { pages: server } = this.#requests;
    const isHarmless = isReference || Object.keys(query).length > 0;
    const list = { ...notes, getPage, unexpected, path, key: requestKey(path, query), server, isHarmless };
    return this.#shared(`all of ${list.key}`, () =>
      startMember === undefined
        ? readPages({ ...list, run: server.inRun(this.meter) })
        : readParts(getPage, unexpected, startMember),
    );
  }

  hasChanged(path: string, by: number): Promise<void> {
    return this.#requests.pages.hasChanged(requestKey(path, {}), by);
  }

  async text(path: string, textType: string): Promise<string> {
    return String(await this.#read(path, {}, { isAnswerSecret: true, textType }));
  }

  async post(path: string, body?: unknown): Promise<unknown> {
    return (await this.submit(path, body)).value;
  }

  submit(path: string, body?: unknown, options?: RequestOptions): Promise<PostAnswer> {
    return this.#send({ method: "POST", path }, { body, ...options });
  }

  async put(path: string, body: unknown): Promise<unknown> {
    return (await this.#send({ method: "PUT", path }, { body })).value;
  }

  async delete(path: string, body?: unknown): Promise<{ status: number }> {
    const { status } = await this.#send({ method: "DELETE", path }, { body });
    return { status };
  }

  hide(text: string): void {
    this.#requests.hidden.hide(text);
  }

  holdsToken(text: string): boolean {
    return this.#requests.holdsToken(text);
  }

  get finishing(): WritingClient {
    return this.#mode.how === "until the signal" ? this.#with({ how: "finishing" }) : this;
  }

  get saving(): WritingClient {
    return this.#mode.how === "saving" ? this : this.#with({ how: "saving" });
  }

  get serverTime(): number {
    return this.#requests.now() + this.#requests.ahead;
  }

  get serverAhead(): number {
    return this.#requests.ahead;
  }

  get pageSize(): number {
    return this.#requests.pages.pageSize;
  }

  get budget(): Budget {
    return this.#requests.budget();
  }

  get spent(): Spent {
    return this.meter.read();
  }

  metered(meter: RequestMeter, signature?: string): Client {
    return this.#with({ spending: { ...this.#mode.spending, meter, signature } });
  }

  hasMade(event: NotedMaker): boolean {
    const { program = this.#requests.program, about } = this.#mode.spending;
    return event.program === program && (about === undefined || this.#requests.proves(event, about));
  }

  as(program: `infrasync-${string}`, about: string): Client {
    return this.#with({ spending: { ...this.#mode.spending, program, about } });
  }

  spendingFor(purpose: Purpose): Client {
    return this.#with({ spending: { ...this.#mode.spending, purpose } });
  }

  sharing(sharing: SharedReadsUse): Client {
    return this.#with({ sharing });
  }

  #with(mode: Partial<ClientMode>): ApiClient {
    return new ApiClient(this.#requests, { ...this.#mode, ...mode });
  }

  #send(operation: RequestLine, options: RequestOptions): Promise<PostAnswer> {
    return this.#requests.send(operation, this.#mode.how, this.#mode.spending, options);
  }

  async #read(path: string, query: Query, options?: RequestOptions): Promise<unknown> {
    return (await this.#send({ method: "GET", path }, { query, ...options })).value;
  }

  /** Takes a shared answer, or sends the requests and shares their answers. */
  async #shared<Value>(key: string, ask: () => Promise<Value>): Promise<Value> {
    const { how, sharing } = this.#mode;
    // Work that has to be finished relies only on its own reads.
    if (!sharing || how !== "until the signal") return ask();
    const found = await sharing.reads.find(key, sharing.since);
    if (found) return found.answer as Value;
    const started = this.#requests.now();
    try {
      const answer = await ask();
      sharing.reads.keep(key, started, answer);
      return answer;
    } catch (error) {
      sharing.reads.giveUp(key);
      throw error;
    }
  }
}
