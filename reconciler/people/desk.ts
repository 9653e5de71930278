import type { Clock } from "../../core/api/index.ts";
import { durationOf } from "../../core/schema/duration.ts";
import { escapeControl } from "../../core/text.ts";
import type { Identity } from "../identity.ts";
import type { AppliedCommit } from "../memory/index.ts";
import { readEnvironmentPattern, resume, type Share, shareKeyOf, suspend } from "../policy/index.ts";
import type { Audit, Deed } from "./audit.ts";
import type { Requests } from "./requests.ts";
import type { Role } from "./access-schema.ts";
import { may, type Person } from "./roles.ts";

/** The actions of people, and the role that each needs. */
export const wishes = {
  refresh: "operate",
  sync: "operate",
  approve: "approve",
  rollback: "operate",
  pause: "operate",
  resume: "operate",
} as const satisfies Record<string, Role>;

export type WishType = keyof typeof wishes;

/** A request of a person as it comes in, unchecked. */
export interface Wish {
  type: WishType;
  /** `shop/production`; empty: everything. */
  environment: string;
  /** Of an approval: the digest of the plan, or its beginning. */
  plan?: string;
  /** Of a rollback: the commit, or its beginning. */
  commit?: string;
  /** Of a pause: for how long, and why. */
  for?: string;
  reason?: string;
}

/** The wishes that people can send, by the last cycle. */
export interface KnownShares {
  shares: readonly Share[];
  /** The digest of what differs in a share. */
  planOf(share: Share): string | undefined;
  /** The commits that were applied there, the newest first. */
  historyOf(share: Share): readonly AppliedCommit[];
}

/** Why something is not done. */
export class WishError extends Error {
  /** `forbidden`: the person may not; `wrong`: nobody could ask for that now. */
  readonly code: "forbidden" | "wrong";

  constructor(code: WishError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** The parts of a desk. */
export interface DeskSettings {
  requests: Requests;
  audit: Audit;
  clock: Clock;
  /** The folder with the suspensions. */
  folder: string;
  known(): KnownShares;
  /** Has the next cycle begin. */
  wake(): void;
}

/** The longest text that a person may give. */
const longestText = 300;
const shortestCommit = 7;
/** Whoever writes manifests could make another plan with the same shorter beginning. */
const shortestPlan = 16;

/** Takes what people ask for: asks for their role, writes it down, and passes it on to the next cycle. */
export class Desk {
  readonly #settings: DeskSettings;
  #last: Promise<void> = Promise.resolve();

  constructor(settings: DeskSettings) {
    this.#settings = settings;
  }

  /** The shares that people can name now. */
  known(): KnownShares {
    return this.#settings.known();
  }

  /** The deeds of people, the newest first. */
  deeds(): Promise<Deed[]> {
    return this.#settings.audit.newest();
  }

  /** Writes down that somebody has come or gone. */
  async signed(what: "signed in" | "signed out", who: Identity, from: string): Promise<void> {
    await this.#write({ who, from, what });
  }

  /**
   * Does what a person asks for.
   *
   * @param from the address that it came from
   * @returns what is going to happen, as a sentence
   * @throws WishError
   */
  async take(wish: Wish, person: Person, from: string): Promise<string> {
    const { type } = wish;
    const environment = escapeControl(wish.environment.slice(0, longestText));
    const deed = {
      who: person.identity,
      from,
      what: type,
      ...(environment !== "" && { environment }),
    };
    try {
      const shares = this.#sharesOf(environment, person, wishes[type]);
      const { detail, act, message } = this.#prepare(wish, shares, person);
      await this.#write({ ...deed, ...(detail !== undefined && { detail }) });
      // Two people may ask at once, and one file keeps what both have asked for.
      const done = this.#last.then(act);
      this.#last = done.catch(() => undefined);
      await done;
      this.#settings.wake();
      return message;
    } catch (error) {
      if (error instanceof WishError) await this.#write({ ...deed, refused: error.message });
      throw error;
    }
  }

  /** The shares of a name. A share that the person may not see is answered like one that does not exist. */
  #sharesOf(environment: string, person: Person, role: Role): readonly Share[] {
    const { shares } = this.#settings.known();
    const key = shareKeyOf(environment.split("/"));
    const share = shares.find((each) => each.key === key || each.name === environment);
    const names = environment === "" ? [] : (share?.names ?? environment.split("/"));
    if (!may(person, role, names)) {
      const where = environment === "" ? "everywhere" : `in ${environment}`;
      throw new WishError("forbidden", `${person.identity.name} does not have the role ${role} ${where}`);
    }
    if (environment === "") return shares;
    if (share) return [share];
    throw new WishError(
      "wrong",
      shares.length === 0
        ? `the service has not read the documents yet, so it does not know ${environment}; ask again in a moment`
        : `no document describes ${environment}`,
    );
  }

  #prepare(wish: Wish, shares: readonly Share[], { identity: by }: Person): Prepared {
    const { requests } = this.#settings;
    const keys = shares.map(({ key }) => key);
    const where = wish.environment === "" ? "all environments" : (shares[0]?.name ?? "");
    switch (wish.type) {
      case "refresh":
        return {
          act: async () => requests.refresh(wish.environment === "" ? [] : (shares[0]?.names ?? [])),
          message: `Live resources of ${where} are read anew.`,
        };
      case "sync":
        return {
          act: () => requests.ask(keys, { type: "sync", by }),
          message: `The next cycle applies what differs in ${where}.`,
        };
      case "approve": {
        const plan = this.#planMeant(wish, shares);
        return {
          detail: `plan ${plan}`,
          act: () => requests.ask(keys, { type: "approve", by, plan }),
          message: `The plan ${plan.slice(0, shortestPlan)} of ${where} is approved. It is carried out unless it changes before.`,
        };
      }
      case "rollback": {
        const target = this.#commitMeant(wish, shares);
        const there = shares.filter((share) => this.#hasApplied(share, target));
        const { commit, tree } = target;
        return {
          detail: `to ${commit}`,
          act: () =>
            requests.rollBack(
              there.map(({ key }) => key),
              { commit, tree, by },
            ),
          message: `${where} goes back to ${commit.slice(0, 7)}, until a commit changes its manifests.`,
        };
      }
      case "pause":
        return this.#pause(wish, where, by);
      case "resume":
        return {
          act: () => this.#resume(wish.environment, where, keys),
          message: `${where} follows the newest commit again.`,
        };
      default:
        return wish.type satisfies never;
    }
  }

  #planMeant({ plan: given = "" }: Wish, [share, second]: readonly Share[]): string {
    if (!share || second) throw new WishError("wrong", "a plan is approved in one environment: name it");
    const plan = this.#settings.known().planOf(share);
    if (plan === undefined) throw new WishError("wrong", `nothing differs in ${share.name}`);
    if (given.length >= shortestPlan && plan.startsWith(given)) return plan;
    const other = given === "" ? "name the plan" : `this is not its plan now`;
    throw new WishError(
      "wrong",
      `${other}: look at what it does, the plan of ${share.name} is ${plan.slice(0, shortestPlan)}`,
    );
  }

  #commitMeant({ commit: given = "" }: Wish, shares: readonly Share[]): AppliedCommit {
    const { historyOf } = this.#settings.known();
    const all = shares.flatMap((share) => historyOf(share));
    const meant = all.find(({ commit }) => given.length >= shortestCommit && commit.startsWith(given));
    if (meant) return meant;
    const there = [...new Set(all.map(({ commit }) => commit.slice(0, 7)))];
    throw new WishError(
      "wrong",
      there.length === 0
        ? "no commit is known to have been applied there"
        : `name one of the commits that were applied there: ${there.join(", ")}`,
    );
  }

  #hasApplied(share: Share, { tree }: AppliedCommit): boolean {
    return this.#settings
      .known()
      .historyOf(share)
      .some((each) => each.tree === tree);
  }

  #pause({ environment, for: length = "", reason: given = "" }: Wish, where: string, by: Identity): Prepared {
    const { folder, clock } = this.#settings;
    const duration = durationOf(length);
    const reason = escapeControl(given.trim().slice(0, longestText));
    if (duration === undefined || duration <= 0)
      throw new WishError("wrong", "say for how long, such as 90m, 12h or 3d");
    if (reason === "") throw new WishError("wrong", "say why, for those who will wonder");
    const now = clock.now();
    const pattern = environment === "" ? "**" : where;
    if (!("matches" in readEnvironmentPattern(pattern)))
      throw new WishError("wrong", `${where} cannot be paused by itself; pause everything, or environments`);
    const until = now + duration;
    return {
      detail: `for ${length}: ${reason}`,
      act: () => suspend(folder, { pattern, until, reason, by }, now),
      message: `Nothing is applied in ${where} until ${new Date(until).toISOString()}.`,
    };
  }

  async #resume(environment: string, where: string, keys: readonly string[]): Promise<void> {
    const { folder, clock, requests } = this.#settings;
    await resume(folder, environment === "" ? "**" : where, clock.now());
    for (const key of keys) await requests.endRollback(key);
  }

  #write(deed: Omit<Deed, "at">): Promise<void> {
    return this.#settings.audit.add({ at: this.#settings.clock.now(), ...deed });
  }
}

/** An action that is allowed, and the answer to the person. */
interface Prepared {
  detail?: string;
  act(): Promise<void>;
  message: string;
}
