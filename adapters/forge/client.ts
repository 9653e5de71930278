import Type, { type TSchema } from "typebox";
import {
  type HttpAnswer,
  betweenOf,
  type Clock,
  createTransport,
  isThisMachine,
  type NoAnswer,
  plainCause,
  proxyFor,
  type Query,
  redactor,
} from "../../core/api/index.ts";
import { type Fields, isFields, type Json, textIn } from "../../core/values/json.ts";
import { readStored, type StoredForm } from "../../core/files/stored-form.ts";
import { escapeControl, shorten } from "../../core/values/text.ts";
import { ForgeError } from "./errors.ts";
import { nextTry } from "./next-try.ts";

export interface ForgeSettings {
  /** `https://api.github.com`, or `https://gitlab.example.com/api/v4`. */
  apiUrl: string;
  token: string;
  /** The variables with the proxies. */
  environment: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  signal?: AbortSignal;
  /** The longest wait for a limit of the Git host, in milliseconds. */
  longestWait: number;
}

export interface ForgeCall {
  /** `the comment cannot be written`. */
  failure: string;
  /** The permission that the token needs for it: `pull-requests: write`. */
  needs: string;
  /** Whether carrying it out twice is harmless; default: every method but POST. */
  isRepeatable?: boolean;
}

const requestTimeout = 30_000;
const maxResponseSize = 16 * 1024 * 1024;
const mostPages = 100;
const mostRedirects = 5;

/** Sends requests to a Git host: with time limits, repeated where that is safe, and never to another server. */
export class ForgeClient {
  readonly #settings: ForgeSettings;
  readonly #title: string;
  readonly #base: string;
  readonly #send: ReturnType<typeof createTransport>;
  readonly #redact: (text: string) => string;

  /** @param title the name of the Git host for people. @throws ForgeError when the URL or the token cannot be used */
  constructor(title: string, settings: ForgeSettings) {
    const { apiUrl, token, environment } = settings;
    const url = URL.parse(apiUrl);
    if (!url || !(url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url.hostname))))
      throw new ForgeError("refused", `the URL of ${title}'s API is not an https URL`, "correct it");
    if (!/^[\x21-\x7E]+$/.test(token))
      throw new ForgeError(
        "refused",
        `the token for ${title} is empty, or has a blank in it`,
        "set a new one",
      );
    this.#settings = settings;
    this.#title = title;
    this.#base = url.href.replace(/\/+$/, "");
    this.#redact = redactor(token);
    this.#send = createTransport({
      authorization: `Bearer ${token}`,
      proxy: proxyFor(this.#base, environment),
      requestTimeout,
      maxResponseSize,
    });
  }

  /** Undefined: it does not exist, or the token must not see it. */
  async find<Form extends TSchema>(
    path: string,
    form: Form,
    call: ForgeCall,
  ): Promise<StoredForm<Form> | undefined> {
    const answer = await this.#request("GET", this.#url(path), undefined, call);
    return answer.status === 404 ? undefined : this.#read(form, answer, call);
  }

  async get<Form extends TSchema>(path: string, form: Form, call: ForgeCall): Promise<StoredForm<Form>> {
    return this.#read(form, await this.#request("GET", this.#url(path), undefined, call), call);
  }

  /** All elements of a list, page by page. */
  async list<Form extends TSchema>(
    path: string,
    query: Query,
    form: Form,
    call: ForgeCall,
  ): Promise<StoredForm<Form>[]> {
    const found: StoredForm<Form>[] = [];
    const all = Type.Array(form);
    let url: URL | undefined = this.#url(path, { ...query, per_page: 100 });
    for (let page = 0; url && page < mostPages; page += 1) {
      const answer: HttpAnswer = await this.#request("GET", url, undefined, call);
      found.push(...(this.#read(all, answer, call) as readonly StoredForm<Form>[]));
      url = this.#next(answer);
    }
    return found;
  }

  async post<Form extends TSchema>(
    path: string,
    body: Fields,
    form: Form,
    call: ForgeCall,
  ): Promise<StoredForm<Form>> {
    return this.#read(form, await this.#request("POST", this.#url(path), body, call), call);
  }

  async change(method: "PUT" | "PATCH", path: string, body: Fields, call: ForgeCall): Promise<void> {
    this.#value(await this.#request(method, this.#url(path), body, call), call);
  }

  /** Deleting a missing resource is no error. */
  async remove(path: string, call: ForgeCall): Promise<void> {
    const answer = await this.#request("DELETE", this.#url(path), undefined, call);
    if (answer.status !== 404) this.#value(answer, call);
  }

  #url(path: string, query: Query = {}): URL {
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return url;
  }

  async #request(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    url: URL,
    body: Fields | undefined,
    call: ForgeCall,
  ): Promise<HttpAnswer> {
    const { clock, signal, longestWait } = this.#settings;
    const isRepeatable = call.isRepeatable ?? method !== "POST";
    let redirects = 0;
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.#send({ method, url, body, signal });
      if (signal?.aborted) throw new ForgeError("interrupted", "interrupted", "run again to continue");
      const next = nextTry(reply, { attempt, isRepeatable, longestWait }, clock.now(), clock.random());
      if (next.type === "done" && reply.kind === "answer") {
        const to = redirectOf(reply, url);
        if (!to) return reply;
        // The token goes to no other server, and the effect of a write elsewhere is unknown.
        redirects += 1;
        if (method !== "GET" || redirects > mostRedirects || to.origin !== url.origin)
          throw this.#redirected(url, to, call);
        url = to;
        attempt -= 1;
        continue;
      }
      if (next.type !== "again") throw this.#failed(reply, next, call);
      await clock.sleep(next.after, signal);
    }
  }

  /** The next page, if the Git host names one of its own. */
  #next({ headers }: HttpAnswer): URL | undefined {
    const [, target] = /<([^>]+)>\s*;[^,]*\brel="?next"?/.exec(headers["link"] ?? "") ?? [];
    const url = target === undefined ? undefined : URL.parse(target, this.#base);
    return url?.origin === new URL(this.#base).origin ? url : undefined;
  }

  #value(answer: HttpAnswer, call: ForgeCall): Json {
    const { status, body } = answer;
    if (status < 200 || status >= 300) throw this.#refused(answer, call);
    if (body.length === 0) return null;
    try {
      return JSON.parse(body.toString()) as Json;
    } catch {
      throw this.#unexpected(answer, call, "the content is not JSON");
    }
  }

  /** @throws ForgeError for an answer of another form, because missing data is unknown, not empty */
  #read<Form extends TSchema>(form: Form, answer: HttpAnswer, call: ForgeCall): StoredForm<Form> {
    const { content, damage } = readStored(form, this.#value(answer, call));
    if (damage !== undefined) throw this.#unexpected(answer, call, damage);
    return content;
  }

  #redirected(from: URL, { href, origin, pathname }: URL, { failure }: ForgeCall): ForgeError {
    const to = shorten(escapeControl(this.#redact(origin + pathname)), 200);
    const isItself = href === from.href;
    if (isItself || noApi.test(pathname))
      return new ForgeError(
        "refused",
        `${failure}: ${this.#title} redirects to ${isItself ? "itself" : `${to}, which is not its API`}`,
        "check the URL of the Git host, the token, and proxies in between",
      );
    return new ForgeError(
      "refused",
      `${failure}: ${this.#title} reports that the repository has moved to ${to}`,
      "set its new URL, also as the remote of the checkout",
    );
  }

  #refused(answer: HttpAnswer, { failure, needs }: ForgeCall): ForgeError {
    const { status, body } = answer;
    const between = betweenOf(answer);
    if (between)
      return new ForgeError("unexpected", `${failure}: ${status}, ${between.what}`, between.advice, status);
    const words = this.#words(body);
    const said = words === "" ? "" : ` (${words})`;
    const advice =
      status === 401
        ? "the token is unknown or expired: set a new one"
        : status === 403 || status === 404
          ? `check that the token has the right: ${needs}`
          : "correct the mistakes that the Git host names";
    const kind = status === 404 ? "missing" : "refused";
    return new ForgeError(kind, `${failure}: ${this.#title} answers ${status}${said}`, advice, status);
  }

  #unexpected({ status }: HttpAnswer, { failure }: ForgeCall, damage: string): ForgeError {
    return new ForgeError(
      "unexpected",
      `${failure}: the answer of ${this.#title} is not what its API promises: ${damage}`,
      "check the URL of its API, and that no proxy answers for it",
      status,
    );
  }

  #failed(
    reply: HttpAnswer | NoAnswer,
    { type, until }: { type: string; until?: Date },
    { failure }: ForgeCall,
  ): ForgeError {
    const again = until ? `try again after ${until.toISOString()}` : "try again later";
    if (type === "limited")
      return new ForgeError("limited", `${failure}: the limit of ${this.#title} is used up`, again);
    if (reply.kind === "none") {
      const { server, proxy } = reply.route;
      const through = proxy ? ` through the proxy ${proxy.origin} (${proxy.variable})` : "";
      const why = reply.sent && reply.reason === "timeout" ? "does not answer" : "cannot be reached";
      const reason = plainCause(reply.error, this.#redact).message;
      return new ForgeError(
        "unreachable",
        `${failure}: ${this.#title} (${server}) ${why}${through}: ${reason}`,
        again,
      );
    }
    const { what, advice } = betweenOf(reply) ?? { what: `${this.#title} has failed`, advice: again };
    return new ForgeError(
      "unreachable",
      `${failure}: ${reply.status}, ${what}`,
      until ? again : advice,
      reply.status,
    );
  }

  /** The message of a refusal by the Git host, without the token. */
  #words(body: Buffer): string {
    try {
      const value = JSON.parse(body.toString()) as Json;
      const given = isFields(value)
        ? (textIn(value, "message") ?? textIn(value, "error") ?? value["message"])
        : "";
      const text = typeof given === "string" ? given : JSON.stringify(given ?? "");
      return shorten(escapeControl(this.#redact(text)), 200);
    } catch {
      return "";
    }
  }
}

/** The path of a login page or a file. */
const noApi = /\/(?:log-?in|sign[-_]?in|sso|saml2?|oauth2?|auth)(?:\/|$)|\.(?:html?|txt|zip|gz)$/i;

/** The target of a redirect, such as after the rename of a repository; undefined for any other answer. */
function redirectOf({ status, headers: { location } }: HttpAnswer, from: URL): URL | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(status) && location !== undefined;
  return (isRedirect && URL.parse(location, from.href)) || undefined;
}
