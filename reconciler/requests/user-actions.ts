import type { Clock } from "../../core/api/index.ts";
import { escapeControl } from "../../core/values/text.ts";
import { may, type Person } from "../people/index.ts";
import { type Pause, reasonToHold, type Share, shareKeyOf } from "../policy/index.ts";
import type { AuditTrail, PersonEntry } from "./person-entry.ts";
import { rulesNow } from "./pause-verbs.ts";
import type { PersonRequest, Requests } from "./requests.ts";
import { table } from "./table.ts";
import { wordsOf, type UserAction, UserActionError } from "./user-action.ts";
import type { PreparedUserAction, RequestScope, RequestTargets, ShareHold } from "./verb.ts";

/** The parts of a handler of actions. */
export interface UserActionsSettings {
  requests: Requests;
  audit: AuditTrail;
  clock: Clock;
  known(): RequestTargets;
  /** Has the next cycle begin. */
  wake(): void;
  /** Shows what was asked for, before the next cycle has come to it. @param pauses all that hold @param now milliseconds since 1970 */
  changed(pauses: readonly Pause[], now: number): void;
}

/** The longest name that a person may give. */
const longestName = 300;

/** Takes what people ask for: asks for their role, writes it down, and passes it on to the next cycle. */
export class UserActions {
  readonly #settings: UserActionsSettings;
  #last: Promise<void> = Promise.resolve();

  constructor(settings: UserActionsSettings) {
    this.#settings = settings;
  }

  /** The shares that people can name now. */
  known(): RequestTargets {
    return this.#settings.known();
  }

  /** What people have done, the newest first. */
  audited(): ReturnType<AuditTrail["newest"]> {
    return this.#settings.audit.newest();
  }

  /** Writes down what a person does. */
  note(entry: PersonEntry): Promise<void> {
    return this.#settings.audit.add(entry);
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
    const about = {
      by: person.identity,
      client: from,
      request: type,
      ...(environment !== "" && { environment }),
    };
    try {
      // Two people may ask at once, and one file keeps what both have asked for.
      const done = this.#last.then(() => this.#do({ ...action, environment }, person, about));
      this.#last = done.then(
        () => undefined,
        () => undefined,
      );
      const { message, confirm } = await done;
      if (action.dry_run) return `Dry run: nothing is done. Otherwise: ${message}`;
      const { requests, wake, changed, clock } = this.#settings;
      changed(requests.pauses, clock.now());
      wake();
      return message + ((await confirm?.()) ?? "");
    } catch (error) {
      if (error instanceof UserActionError)
        await this.note({ type: "refused", ...about, reason: error.message });
      throw error;
    }
  }

  async #do(
    action: UserAction,
    person: Person,
    about: Omit<Extract<PersonEntry, { type: "requested" }>, "type">,
  ): Promise<PreparedUserAction> {
    const { requests, clock } = this.#settings;
    const prepared = table[action.type].prepare({
      action,
      person,
      known: () => this.known(),
      requests,
      clock,
      addressed: () => this.#addressed(action, person),
    });
    const { detail, act } = prepared;
    if (action.dry_run) return prepared;
    await this.note({ type: "requested", ...about, detail });
    await act();
    return prepared;
  }

  /** The shares of a name. A share that the person may not see is answered like one that does not exist. */
  #sharesOf({ type, environment }: UserAction, person: Person): readonly Share[] {
    const { role } = wordsOf(type);
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

  /** The shares that a request names, those in which it has an effect, and the words for them. @throws UserActionError if it has none */
  #addressed(action: UserAction, person: Person): RequestScope {
    const { type, environment } = action;
    const { requests, clock } = this.#settings;
    const shares = this.#sharesOf(action, person);
    const known = this.known();
    const all = shares.map((share) => {
      const { rules: before, isBlocked, requested } = known.of(share);
      const rules = before && rulesNow(before, share, requests.pauses, clock.now());
      const held = { rules, isBlocked, approval: approvalKeptFrom(person, share, requested) };
      return { share, reason: table[type].withoutEffect?.(held), waits: rules && reasonToHold(rules) };
    });
    const free = all.filter(({ reason }) => reason === undefined);
    const listed = (some: typeof all, why: "reason" | "waits") =>
      some
        .flatMap((each) => (each[why] === undefined ? [] : [`${each.share.name} (${each[why]})`]))
        .join(", ");
    const without = listed(all, "reason");
    if (free.length === 0 && without !== "")
      throw new UserActionError(
        "wrong",
        `${wordsOf(type).noun} has no effect, because nothing is applied in ${without}`,
      );
    const isAmong = (some: readonly Share[]) => all.filter(({ share }) => some.includes(share));
    const ended = (some: readonly Share[], plan?: string) =>
      some
        .flatMap(({ key, name }) =>
          requests
            .approvalsEndedIn([key], plan)
            .map(
              ({ plan: its, by }) => `the approval of the plan ${its.slice(0, 16)} of ${name} by ${by.name}`,
            ),
        )
        .join(" and ");
    return {
      shares,
      free: free.map(({ share }) => share),
      where: (some) =>
        environment === "" && some.length === shares.length
          ? "all environments"
          : some.map(({ name }) => name).join(", "),
      but: without === "" ? "" : ` Nothing is applied in ${without}.`,
      later(some, plan) {
        const waits = listed(isAmong(some), "waits");
        const over = ended(some, plan);
        return (
          (waits === "" ? "" : ` Nothing is applied before that ends: ${waits}.`) +
          (over === "" ? "" : ` This ends ${over}.`)
        );
      },
      ended: (some, plan) => ended(some, plan).replace(/^(?=.)/, "; ends "),
    };
  }
}

/** The approval that waits in a share, if a person may not end it. */
export function approvalKeptFrom(
  person: Person,
  { names }: Share,
  requested: PersonRequest | undefined,
): ShareHold["approval"] {
  return requested?.type === "approve" && !may(person, "approve", names) ? requested : undefined;
}
