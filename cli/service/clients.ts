import { createHash } from "node:crypto";
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
  looking: Client;
  applying: Client;
  ledger: JoinedLedger | undefined;
  looks: SharedRefreshes | undefined;
}

/** The state shared by sources with the same organization and token. */
export type SharedReadsOf = (settings: Settings) => SharedRefreshes;

/** The name of this service in ledgers and in the events of the organization, and its part of a window. */
export interface LedgerMember {
  who: string;
  program: ClientSettings["program"];
  shares: BudgetShares;
}

/**
 * The clients of a long-lived service. Their tokens are read for each cycle, so that a token can be changed without a
 * restart: a new token gets a new client. If a token becomes unreadable, the last one stays.
 */
export class Clients {
  readonly #settings: Settings;
  readonly #console: Console;
  readonly #log: Log;
  readonly #onWait: (wait: Wait) => void;
  readonly #spender: LedgerMember;
  readonly #beforeWrite: (() => Promise<void>) | undefined;
  readonly #looksOf: SharedReadsOf | undefined;
  /** One for both clients: a secret that one has sent may be a prefix of the other's token. */
  readonly #hidden: HiddenTexts;
  #looking: ClientOfToken;
  #applying: ClientOfToken | undefined;

  /**
   * @param beforeWrite called before each request that may change something; throws to prevent it
   * @param looksOf default: nothing is shared
   */
  constructor(
    settings: Settings,
    console: Console,
    log: Log,
    onWait: (wait: Wait) => void,
    spender: LedgerMember,
    beforeWrite?: () => Promise<void>,
    looksOf?: SharedReadsOf,
  ) {
    this.#beforeWrite = beforeWrite;
    this.#looksOf = looksOf;
    this.#hidden = new HiddenTexts(console.io.hidden);
    this.#spender = spender;
    this.#settings = settings;
    this.#console = console;
    this.#log = log;
    this.#onWait = onWait;
    this.#looking = this.#connect(settings.token);
  }

  /** The clients for the present tokens. */
  async current(): Promise<ServiceClients> {
    const token = await readToken(this.#console, []);
    if (token === undefined) this.#log.warn({}, "the token cannot be read any more; the last one stays");
    else if (token !== this.#looking.token) this.#looking = this.#connect(token);
    const other = await readSecretText(applyToken, this.#console);
    const { env } = this.#console.io;
    const isWanted = Boolean(env[applyToken] || env[`${applyToken}_FILE`]);
    if (isWanted && other === undefined && !this.#applying)
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
    const { looking, looks } = this.#looking;
    return {
      looking,
      applying: (this.#applying ?? this.#looking).applying,
      ...(looks && { looks }),
    };
  }

  /** A text without credentials, and without the secrets that this service has read or written. */
  redact(text: string): string {
    return this.#hidden.redact(text);
  }

  /** The quota of the token for reads, by the last answer. */
  get budget(): Budget {
    return this.#looking.client.budget;
  }

  /** A prefix of the digest of the token for reads, which identifies it. */
  get tokenName(): string {
    return createHash("sha256").update(`infrasync ${this.#looking.token}`).digest("hex").slice(0, 8);
  }

  /** Milliseconds by which the clock of the server is ahead of that of this machine, by its last answer. */
  get serverAhead(): number {
    return this.#looking.client.serverAhead;
  }

  /** Requests of each spender in another process for a purpose in this window. */
  spentElsewhere(purpose: "looking" | "applying"): readonly number[] {
    const { ledger } = purpose === "looking" ? this.#looking : (this.#applying ?? this.#looking);
    return ledger?.spentElsewhere(purpose) ?? [];
  }

  #connect(token: string): ClientOfToken {
    const settings = { ...this.#settings, token };
    const { baseUrl } = settings;
    const { env } = this.#console.io;
    const { who, shares, program } = this.#spender;
    const ledger = joinLedger({ baseUrl, token, who, shares, environment: env });
    const client = clientFor(settings, this.#console, {
      log: this.#log,
      program,
      onWait: this.#onWait,
      beforeWrite: async () => {
        await this.#beforeWrite?.();
        this.#looking.looks?.wrote();
      },
      ledger,
      hidden: this.#hidden,
    });
    const [looking, applying] = [client.spendingFor("looking"), client.spendingFor("applying")];
    return { token, client, looking, applying, ledger, looks: this.#looksOf?.(settings) };
  }
}
