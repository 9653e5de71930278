import { ClientSettingsError } from "./errors.ts";
import type { HiddenTexts } from "../redaction/hidden-texts.ts";
import type { Ledger } from "./ledger.ts";
import type { PersistentText } from "./server-pages.ts";

/** A logger of requests; pino satisfies it. */
export interface RequestLogger {
  /** Takes a line about a request; its fields have no secrets. */
  debug(fields: Record<string, unknown>, message: string): void;
}

/**
 * A wait that the user may want to see: for the quota, while the server takes no requests (429), before a repetition, for
 * an answer, which is told every quarter of the time that a request may take, or for a clone that another run has requested.
 */
export interface Wait {
  reason: "quota" | "limited" | "retry" | "answer" | "clone";
  until: Date;
  /** The number of failed tries in a row: of this request, or for the quota of the whole client. */
  attempt: number;
  /** What a run waits for: `Job migrate`. */
  subject?: string;
}

/** Environment variables, set or not. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The settings of a client: the address of the API, credentials, and limits. */
export interface ClientSettings {
  /** The URL of the API, such as `https://api.example.com`; it may have a path. */
  baseUrl: string;
  token: string;
  /** The scheme of the `Authorization` header. Default: `Bearer` if the token has the form of a JWT, else `Token`. */
  scheme?: "Token" | "Bearer" | undefined;
  /** Allows http to another machine than this one. */
  insecureHttp?: boolean | undefined;
  /** The variables with `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`. Default: none, and no proxy is used. */
  environment?: EnvironmentVariables | undefined;
  /** Whether to wait or to throw when the quota is used up or the server takes no requests (429). */
  onQuota: "wait" | "fail";
  /** The file that says `fail`, which no flag overrules: an error advises to change it there. */
  onQuotaIn?: string | undefined;
  /**
   * With `fail`: requests wait nevertheless if the wait ends within this many milliseconds. Default: 0.
   */
  quotaPatience?: number | undefined;
  /**
   * How many requests the client may send, repetitions included. Runs with a meter have a cap of their own. Only requests of
   * `saving` may exceed it. Default: no cap.
   */
  maxRequests?: number | undefined;
  /** Requests under way at the same time. Default 10. */
  concurrency?: number | undefined;
  /** Milliseconds from sending a request to the end of its answer. Default 60,000. */
  requestTimeout?: number | undefined;
  /** Bytes that an answer may have, decompressed. Default 64 MiB. */
  maxResponseSize?: number | undefined;
  /** What no message shows, beside the token and the secrets that are sent; default: nothing else. */
  hidden?: HiddenTexts | undefined;
  /** Ends waits and reads; a write under way is finished. */
  signal?: AbortSignal | undefined;
  /** Called when requests have to wait, such as for the quota. */
  onWait?: ((wait: Wait) => void) | undefined;
  /** The name of the program in the events of the organization: `infrasync-reconciler`. Default: `infrasync`. */
  program?: `infrasync-${string}` | undefined;
  logger?: RequestLogger | undefined;
  /** Called before each request other than GET. If it throws, the request is not sent. */
  beforeWrite?: (() => Promise<void>) | undefined;
  /** The ledger that all processes with this token share; default: the client knows only the quota in the answers of the server. */
  ledger?: Ledger | undefined;
  /** Where it is kept how the server pages its lists; default: each client finds it out. */
  pages?: PersistentText | undefined;
}

/** The base URL, without a slash at its end. @throws ClientSettingsError if it cannot be used. */
export function checkedBaseUrl(settings: Pick<ClientSettings, "baseUrl" | "insecureHttp">): string {
  const url = URL.parse(settings.baseUrl);
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new ClientSettingsError(
      "the base URL is not a URL of http or https",
      "set it to one like https://api.example.com",
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ClientSettingsError(
      `the base URL of ${url.host} has a user, a query or a fragment`,
      "leave it out (the token has its own setting)",
    );
  }
  if (url.protocol === "http:" && !settings.insecureHttp && !isThisMachine(url.hostname)) {
    throw new ClientSettingsError(
      `the base URL ${url.origin} is plain http, and the token would be readable on the way`,
      "use https",
      [{ setting: "insecure_http" }],
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** The value of the `Authorization` header. @throws ClientSettingsError, which does not quote the token. */
export function authorization({ token, scheme }: Pick<ClientSettings, "token" | "scheme">): string {
  if (/^(["']).*\1$/.test(token))
    throw new ClientSettingsError(
      "the token stands in quotes",
      "set it to the text between them: not every tool removes quotes",
    );
  if (!/^[\x21-\x7E]+$/.test(token)) {
    const what = token === "" ? "is empty" : "has a blank, a line break or a character outside of ASCII";
    throw new ClientSettingsError(`the token ${what}`, "set it to what the console showed, and nothing else");
  }
  const isJwt = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token);
  return `${scheme ?? (isJwt ? "Bearer" : "Token")} ${token}`;
}

/** Whether a host name of a URL is that of this machine. */
export function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}
