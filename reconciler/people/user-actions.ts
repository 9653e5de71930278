import type { Clock } from "../../core/api/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import { type Change, changeText, losingIn } from "../decide/index.ts";
import type { Identity } from "../identity.ts";
import type { AppliedCommit } from "../memory/index.ts";
import { type Pause, readPauses, reasonToHold, type Share, shareKeyOf } from "../policy/index.ts";
import type { Audit, Deed } from "./audit.ts";
import { pause, type PreparedUserAction, resume, rulesNow } from "./pausing.ts";
import { type HeldShare, reasonWithoutEffect } from "./effect.ts";
import type { Requests } from "./requests.ts";
import { may, type Person } from "./roles.ts";
import { type KnownShares, type UserAction, UserActionError, userActionRoles } from "./user-action.ts";

/** The parts of a handler of actions. */
export interface UserActionsSettings {
  requests: Requests;
  audit: Audit;
  clock: Clock;
  /** The folder with the pauses. */
  folder: string;
  known(): KnownShares;
  /** Has the next cycle begin. */
  wake(): void;
  /** Shows what was asked for, before the next cycle has come to it. @param pauses all that hold @param now milliseconds since 1970 */
  changed(pauses: readonly Pause[], now: number): void;
}

/** The longest name that a person may give. */
const longestName = 300;
const shortestCommit = 7;
/** Whoever writes manifests could make another plan with the same shorter beginning. */
const shortestPlan = 16;
/** So many changes of an approved plan are written down. */
const mostChanges = 20;

/** Takes what people ask for: asks for their role, writes it down, and passes it on to the next cycle. */
export class UserActions {
  readonly #settings: UserActionsSettings;
  #last: Promise<void> = Promise.resolve();

  constructor(settings: UserActionsSettings) {
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

  /** Writes down that somebody has come or gone. @param refused why somebody was not let in */
  async signed(
    what: "signed in" | "signed out",
    who: Identity,
    from: string,
    refused?: string,
  ): Promise<void> {
    await this.#write({ who, from, what, ...(refused !== undefined && { refused }) });
  }

  /**
   * Does what a person asks for.
   *
   * @param from the address that it came from
   * @returns what is going to happen, as a sentence
   * @throws UserActionError
   */
  async take(action: UserAction, person: Person, from: string): Promise<string> {
    const { type } = action;
    const environment = escapeControl(action.environment.slice(0, longestName));
    const deed = {
      who: person.identity,
      from,
      what: type,
      ...(environment !== "" && { environment }),
    };
    try {
      // Two people may ask at once, and one file keeps what both have asked for.
      const done = this.#last.then(() => this.#do(action, environment, person, deed));
      this.#last = done.then(
        () => undefined,
        () => undefined,
      );
      const { message, confirm } = await done;
      const { folder, wake, changed, clock } = this.#settings;
      changed(await readPauses(folder), clock.now());
      wake();
      return message + ((await confirm?.()) ?? "");
    } catch (error) {
      if (error instanceof UserActionError) await this.#write({ ...deed, refused: error.message });
      throw error;
    }
  }

  async #do(
    action: UserAction,
    environment: string,
    person: Person,
    deed: Omit<Deed, "at">,
  ): Promise<PreparedUserAction> {
    const prepared = await this.#prepare({ ...action, environment }, person);
    const { detail, act } = prepared;
    await this.#write({ ...deed, ...(detail !== undefined && { detail }) });
    await act();
    return prepared;
  }

  /** The shares of a name. A share that the person may not see is answered like one that does not exist. */
  #sharesOf({ type, environment }: UserAction, person: Person): readonly Share[] {
    const role = userActionRoles[type];
    const { shares } = this.#settings.known();
    const key = shareKeyOf(environment.split("/"));
    const share = shares.find((each) => each.key === key || each.name === environment);
    const names = environment === "" ? [] : (share?.names ?? environment.split("/"));
    if (!may(person, role, names)) {
      const where = environment === "" ? "everywhere" : `in ${environment}`;
      throw new UserActionError(
        "forbidden",
        `${person.identity.name} does not have the role ${role} ${where}`,
      );
    }
    if (shares.length === 0 && !(environment === "" && type === "refresh"))
      throw new UserActionError("wrong", "the service has not read the documents yet; ask again in a moment");
    if (environment === "") return shares;
    if (share) return [share];
    throw new UserActionError("wrong", `no document declares ${environment}`);
  }

  /** What holds a share now. */
  async #heldIn(share: Share): Promise<HeldShare> {
    const { folder, clock } = this.#settings;
    const known = this.known();
    const rules = known.rulesOf(share);
    return {
      rules: rules && rulesNow(rules, share, await readPauses(folder), clock.now()),
      isBlocked: known.isBlocked(share),
    };
  }

  /**
   * Where an action has an effect, and where not and why: `shop/production (suspended by the policy …)`; and where nothing is
   * applied before something ends.
   */
  async #divide(
    type: UserAction["type"],
    shares: readonly Share[],
  ): Promise<{ free: Share[]; without: string[]; held: string[] }> {
    const free: Share[] = [];
    const without: string[] = [];
    const held: string[] = [];
    for (const share of shares) {
      const its = await this.#heldIn(share);
      const reason = reasonWithoutEffect(type, its);
      if (reason === undefined) free.push(share);
      else without.push(`${share.name} (${reason})`);
      const waits = its.rules && reasonToHold(its.rules);
      if (reason === undefined && waits !== undefined) held.push(`${share.name} (${waits})`);
    }
    return { free, without, held };
  }

  /** The shares that an action is about, those in which it has an effect, and the words for them. @throws UserActionError if it has none */
  async #addressed(action: UserAction, person: Person) {
    const { type, environment } = action;
    const shares = this.#sharesOf(action, person);
    const { free, without, held } = await this.#divide(type, shares);
    if (free.length === 0 && without.length > 0)
      throw new UserActionError(
        "wrong",
        `${type === "approve" ? "an approval" : `a ${type}`} has no effect, because nothing is applied in ${without.join(", ")}`,
      );
    return {
      shares,
      free,
      where: (some: readonly Share[]) =>
        environment === "" && some.length === shares.length
          ? "all environments"
          : some.map(({ name }) => name).join(", "),
      but: (nothing: string) => (without.length === 0 ? "" : ` ${nothing} in ${without.join(", ")}.`),
      later: held.length === 0 ? "" : ` Nothing is applied before that ends: ${held.join(", ")}.`,
    };
  }

  async #prepare(action: UserAction, person: Person): Promise<PreparedUserAction> {
    const { type: actionType, environment } = action;
    const { folder, clock } = this.#settings;
    if (actionType === "pause" || actionType === "resume") {
      const known = () => this.known();
      const asked = { action, person, known, pauses: await readPauses(folder), folder, clock };
      return actionType === "pause" ? pause(asked) : resume(asked);
    }
    const { requests } = this.#settings;
    const by = person.identity;
    const { shares, free, where, but, later } = await this.#addressed(action, person);
    const keysOf = (some: readonly Share[]) => some.map(({ key }) => key);
    switch (actionType) {
      case "refresh":
        return {
          act: async () => requests.refresh(environment === "" ? [] : (shares[0]?.names ?? [])),
          message: `Live resources of ${where(shares)} are read anew.`,
        };
      case "sync":
        return {
          act: () => requests.ask(keysOf(free), { type: actionType, by }),
          message: `The next cycle applies what differs in ${where(free)}.${but("Nothing is applied")}`,
        };
      case "approve": {
        const { plan, changes } = this.#planMeant(action, shares);
        return {
          detail: `plan ${plan}: ${changesText(changes)}`,
          act: () => requests.ask(keysOf(shares), { type: actionType, by, plan }),
          message: `The plan ${plan.slice(0, shortestPlan)} of ${where(shares)} is approved by ${by.name}, and carried out in the next cycle, unless it changes before.${later}`,
        };
      }
      case "rollback": {
        const target = this.#commitMeant(action, free);
        const there = free.filter((share) => this.#hasApplied(share, target));
        const { commit, tree } = target;
        const at = new Date(clock.now()).toISOString();
        return {
          detail: `to ${commit}`,
          act: () => requests.rollBack(keysOf(there), { commit, tree, by, at }),
          message: `${where(there)} ${there.length === 1 ? "goes" : "go"} back to ${commit.slice(0, 7)}, until a commit changes the manifests there, or until somebody has it follow the repository again.${later}`,
        };
      }
      case "follow": {
        const there = shares.filter(({ key }) => requests.rollbackIn(key) !== undefined);
        if (there.length === 0)
          throw new UserActionError(
            "wrong",
            `${where(shares)} ${shares.length === 1 ? "is" : "are"} not rolled back`,
          );
        return {
          act: async () => {
            for (const { key } of there) await requests.endRollback(key);
          },
          message: `${where(there)} ${there.length === 1 ? "follows" : "follow"} the newest commit again.${later}`,
        };
      }
      default:
        return actionType satisfies never;
    }
  }

  #planMeant(
    { plan: given = "", lost }: UserAction,
    [share, second]: readonly Share[],
  ): { plan: string; changes: readonly Change[] } {
    if (!share || second)
      throw new UserActionError("wrong", "a plan is approved in one environment: name it");
    const known = this.known();
    const plan = known.planOf(share);
    if (plan === undefined) throw new UserActionError("wrong", `nothing differs in ${share.name}`);
    const changes = known.changesOf(share);
    if (given.length >= shortestPlan && plan.startsWith(given)) {
      const losing = [...losingIn(changes).values()];
      if (lost === undefined || losing.length === 0 || losing.includes(lost.trim())) return { plan, changes };
      throw new UserActionError(
        "wrong",
        `nothing is approved: the plan of ${share.name} loses something for good; type the name of what is lost: ${losing.join(" or ")}`,
      );
    }
    const other = given === "" ? "name the plan" : `this is not its plan now`;
    throw new UserActionError(
      "wrong",
      `${other}: look at what it does, the plan of ${share.name} is ${plan.slice(0, shortestPlan)}`,
    );
  }

  #commitMeant({ commit: given = "" }: UserAction, shares: readonly Share[]): AppliedCommit {
    const { appliedCommitsIn } = this.#settings.known();
    const all = shares.flatMap((share) => appliedCommitsIn(share));
    const meant = all.find(({ commit }) => given.length >= shortestCommit && commit.startsWith(given));
    if (meant) return meant;
    const there = [...new Set(all.map(({ commit }) => commit.slice(0, 7)))];
    throw new UserActionError(
      "wrong",
      there.length === 0
        ? "no commit is known to have been applied there"
        : `name one of the commits that were applied there: ${there.join(", ")}`,
    );
  }

  #hasApplied(share: Share, { tree }: AppliedCommit): boolean {
    return this.#settings
      .known()
      .appliedCommitsIn(share)
      .some((each) => each.tree === tree);
  }

  #write(deed: Omit<Deed, "at">): Promise<void> {
    return this.#settings.audit.add({ at: this.#settings.clock.now(), ...deed });
  }
}

/** What a plan does, for the audit: what loses something for good first. */
function changesText(changes: readonly Change[]): string {
  const inOrder = changes.toSorted((one, other) => Number(!one.losses) - Number(!other.losses));
  const rest = inOrder.length - mostChanges;
  return [...inOrder.slice(0, mostChanges).map(changeText), ...(rest > 0 ? [`and ${rest} more`] : [])].join(
    "; ",
  );
}
