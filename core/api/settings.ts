import { ClientSettingsError } from "./errors.ts";
import type { HiddenTexts } from "../redaction/hidden-texts.ts";
import type { Ledger } from "./ledger.ts";
import type { PersistentText } from "./server-pages.ts";

/** A logger of requests; pino satisfies it. */
export interface RequestLogger {
  /** Takes a line about a request. @param fields without secrets */
  debug(fields: Record<string, unknown>, message: string): void;
}

/** A wait that the user may want to see; one for an answer is reported every quarter of the timeout. */
export interface Wait {
  reason: "quota" | "limited" | "retry" | "answer" | "clone" | "lists";
  until: Date;
  /** The number of failed tries in a row: of this request, or for the quota of the whole client. */
  attempt: number;
  /** The resource for which a run waits: `Job migrate`. */
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
  /** The variables with `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`. Default: none, and no proxy. */
  environment?: EnvironmentVariables | undefined;
  /** Whether to wait or to throw when the quota is used up or the server takes no requests (429). */
  onQuota: "wait" | "fail";
  /** The file with `fail`, which no flag overrules: an error advises to change it there. */
  onQuotaIn?: string | undefined;
  /** With `fail`: requests still wait if the wait ends within this many milliseconds. Default: 0. */
  quotaPatience?: number | undefined;
  /** The most requests, with repetitions, except those of `saving`. Runs have caps of their own. Default: no cap. */
  maxRequests?: number | undefined;
  /** Concurrent requests. Default 10. */
  concurrency?: number | undefined;
  /** The most times that a request is sent. Default 5. */
  mostTries?: number | undefined;
  /** Milliseconds from sending a request to the end of its answer. Default 60,000. */
  requestTimeout?: number | undefined;
  /** The most bytes of an answer, decompressed. Default 64 MiB. */
  maxResponseSize?: number | undefined;
  /** Further texts that no message shows, beside the token and sent secrets; default: none. */
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
  /** The ledger of all processes with this token; default: the client knows only the quota in the answers. */
  ledger?: Ledger | undefined;
  /** The cached facts about the server's pages; default: each client finds them out. */
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
      `the base URL ${url.origin} is plain http, and others on the network could read the token`,
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
      "the token is in quotes",
      "set it without quotes: not every tool removes them",
    );
  if (!/^[\x21-\x7E]+$/.test(token)) {
    const what = token === "" ? "is empty" : "has a blank, a line break or a character outside of ASCII";
    throw new ClientSettingsError(
      `the token ${what}`,
      "set it to the token that the console showed, and nothing else",
    );
  }
  const isJwt = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(token);
  return `${scheme ?? (isJwt ? "Bearer" : "Token")} ${token}`;
}

/** Whether a host name of a URL is that of this machine. */
export function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}
