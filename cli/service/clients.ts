import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { basename } from "node:path";
import {
  type Budget,
  type Client,
  type ClientSettings,
  HiddenTexts,
  type Wait,
} from "../../core/api/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import { type JoinedLedger, joinLedger } from "../../adapters/database/join.ts";
import { placeOf } from "../../adapters/forge/index.ts";
import type { BudgetShares } from "../../adapters/database/index.ts";
import { type Log, ownerOf, type ServiceClients, type SharedRefreshes } from "../../reconciler/index.ts";
import type { RepositoryPlace } from "../repository/repository.ts";
import { readToken } from "../settings/token.ts";
import type { Settings } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import { readSecretText } from "../repository/secret-text.ts";
import { clientFor } from "../session/session.ts";

/** The token for changes, if it is not the one for reads. */
const applyToken = "INFRASYNC_APPLY_TOKEN";

/** The reconciler in the events of the organization: `history` distinguishes it from a person with the same token. */
export const reconcilerProgram = "infrasync-reconciler";

/** The name of one source or service in events, so that new records include its earlier deletions. */
export function programOf({ address: { url }, ...place }: RepositoryPlace): `infrasync-${string}` {
  const { host, project } = placeOf(url);
  const digest = createHash("sha256").update(url).digest("hex").slice(0, 8);
  // The path of a repository on this machine is private.
  const of = project === undefined || host === "" ? `${basename(url)} ${digest}` : `${host}/${project}`;
  return `${reconcilerProgram} of ${ownerOf({ ...place, of })}`;
}

interface ClientOfToken {
  token: string;
  client: Client;
  /** A client whose requests the ledger enters as reads. */
  checking: Client;
  applying: Client;
  ledger: JoinedLedger | undefined;
  refreshes: SharedRefreshes | undefined;
}

/** The state shared by sources with the same organization and token. */
export type SharedReadsOf = (settings: Settings) => SharedRefreshes;

/** The name of this service in ledgers and in the events of the organization, and its part of a window. */
export interface LedgerMember {
  who: string;
  program: ClientSettings["program"];
  shares: BudgetShares;
}

export interface ClientsSettings {
  settings: Settings;
  console: Console;
  log: Log;
  onWait(wait: Wait): void;
  member: LedgerMember;
  /** Called before each request that may change something; it throws where that must not be. */
  beforeWrite?: (() => Promise<void>) | undefined;
  /** The state shared with sources of the same organization and token; default: nothing is shared. */
  refreshesOf?: SharedReadsOf | undefined;
}

/** The clients of a long-lived service: tokens are read for each cycle; one that becomes unreadable stays the last one. */
export class Clients {
  readonly #given: ClientsSettings;
  /** One for both clients: a secret that one has sent may be a prefix of the other's token. */
  readonly #hidden: HiddenTexts;
  #checking: ClientOfToken;
  #applying: ClientOfToken | undefined;

  constructor(given: ClientsSettings) {
    this.#given = given;
    this.#hidden = new HiddenTexts(given.console.io.hidden);
    this.#checking = this.#connect(given.settings.token);
  }

  async current(): Promise<ServiceClients> {
    const { console, log } = this.#given;
    const token = await readToken(console, []);
    if (token === undefined) log.warn({}, "the token can no longer be read; the last token stays in use");
    else if (token !== this.#checking.token) this.#checking = this.#connect(token);
    const other = await readSecretText(applyToken, console);
    const { env } = console.io;
    const isDesired = Boolean(env[applyToken] || env[`${applyToken}_FILE`]);
    if (isDesired && other === undefined && !this.#applying)
      throw new InvalidInputError([
        {
          code: "setting",
          message: "the file that INFRASYNC_APPLY_TOKEN_FILE names cannot be read, or is empty",
          advice: "put the token for changes into it",
        },
      ]);
    if (other !== undefined && other !== this.#applying?.token) {
      this.#applying = this.#connect(other);
    }
    const { checking, refreshes } = this.#checking;
    return {
      checking,
      applying: (this.#applying ?? this.#checking).applying,
      ...(refreshes && { refreshes }),
    };
  }

  /** A text without credentials, and without the secrets that this service has read or written. */
  redact(text: string): string {
    return this.#hidden.redact(text);
  }

  /** The quota of the token for reads, by the last answer. */
  get budget(): Budget {
    return this.#checking.client.budget;
  }

  /** A prefix of the digest of the token for reads, which identifies it. */
  get tokenName(): string {
    return createHash("sha256").update(`infrasync ${this.#checking.token}`).digest("hex").slice(0, 8);
  }

  /** Milliseconds by which the clock of the server is ahead of that of this machine, by its last answer. */
  get serverAhead(): number {
    return this.#checking.client.serverAhead;
  }

  spentElsewhere(purpose: "checking" | "applying"): readonly number[] {
    const { ledger } = purpose === "checking" ? this.#checking : (this.#applying ?? this.#checking);
    return ledger?.spentElsewhere(purpose) ?? [];
  }

  #connect(token: string): ClientOfToken {
    const { console, log, onWait, member, beforeWrite, refreshesOf } = this.#given;
    const settings = { ...this.#given.settings, token };
    const { who, shares, program } = member;
    const { env: environment } = console.io;
    const ledger = joinLedger({ baseUrl: settings.baseUrl, token, who, shares, environment });
    const client = clientFor(settings, console, {
      log,
      program,
      onWait,
      beforeWrite: async () => {
        await beforeWrite?.();
        this.#checking.refreshes?.wrote();
      },
      ledger,
      hidden: this.#hidden,
    });
    const [checking, applying] = [client.spendingFor("checking"), client.spendingFor("applying")];
    return { token, client, checking, applying, ledger, refreshes: refreshesOf?.(settings) };
  }
}

/** The name under which a source or a service spends the quota. */
export function spenderOf(source: string | undefined): string {
  const service = `reconciler on ${hostname()}`;
  return source === undefined ? service : `source ${source} (${service})`;
}

/** A log that calls a function for each request. */
export function countingRequests(log: Log, onRequest: () => void): Log {
  return {
    ...log,
    debug(fields, message) {
      if (message === "request") onRequest();
      log.debug(fields, message);
    },
  };
}
