import type { Clock } from "../../core/api/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import { inSentence, escapeControl } from "../../core/values/text.ts";
import { may, type Person } from "../people/index.ts";
import { type Pause, reasonToHold, type Environment, environmentKeyOf } from "../policy/index.ts";
import type { AuditTrail, PersonEntry } from "./person-entry.ts";
import type { Requests } from "./requests.ts";
import { table } from "./table.ts";
import { verbs } from "../verbs.ts";
import { didYouMean, forbidden, type UserAction, UserActionError, wrong } from "./user-action.ts";
import type { PreparedUserAction, RequestTargets } from "./verb.ts";

export interface UserActionsSettings {
  requests: Requests;
  audit: AuditTrail;
  clock: Clock;
  /** A line for each commit. @param now milliseconds since 1970 */
  linesOf(commits: readonly string[], now: number): Promise<string[]>;
  known(): RequestTargets;
  wake(): void;
  /** Shows new requests before the next cycle. @param pauses all that hold @param now milliseconds since 1970 */
  changed(pauses: readonly Pause[], now: number): void;
}

const longestName = 300;

/** Takes what people ask for: asks for their role, writes it down, and passes it on to the next cycle. */
export class UserActions {
  readonly #settings: UserActionsSettings;
  #last: Promise<void> = Promise.resolve();

  constructor(settings: UserActionsSettings) {
    this.#settings = settings;
  }

  known(): RequestTargets {
    return this.#settings.known();
  }

  /** What people have done, the newest first. */
  audited(): ReturnType<AuditTrail["newest"]> {
    return this.#settings.audit.newest();
  }

  note(entry: PersonEntry): Promise<void> {
    return this.#settings.audit.add(entry);
  }

  /** Takes the request of a person, and returns the confirmation. @param client its address @throws UserActionError */
  async take(given: UserAction, person: Person, client: string): Promise<string> {
    const { requests, wake, changed, clock } = this.#settings;
    const environment = escapeControl(given.environment.slice(0, longestName));
    const action = { ...given, environment };
    const of = environment === "" ? {} : { environment };
    const about = { by: person.identity, client, request: given.type, ...of };
    try {
      // Two people may ask at once, and one file keeps what both have requested.
      const done = this.#last.then(async () => {
        await requests.open();
        const prepared = await this.#prepared(action, person);
        if (action.dry_run) return prepared;
        await this.note({ type: "requested", ...about, detail: prepared.detail });
        await prepared.act();
        return prepared;
      });
      this.#last = done.then(
        () => undefined,
        () => undefined,
      );
      const { message, confirm } = await done;
      if (action.dry_run) return `Dry run: nothing is done. Otherwise: ${message}`;
      changed(requests.pauses, clock.now());
      wake();
      return message + ((await confirm?.(this.known())) ?? "");
    } catch (error) {
      if (error instanceof InvalidInputError)
        throw wrong(
          `nothing is done, because ${inSentence(error.problems.map(({ message, advice = "" }) => `${message}; ${advice}`))}`,
        );
      if (error instanceof UserActionError)
        await this.note({ type: "refused", ...about, reason: error.message });
      throw error;
    }
  }

  /** What a verb prepares, with what every request says: where it has no effect, what it waits for, what it ends. */
  async #prepared(action: UserAction, person: Person): Promise<PreparedUserAction> {
    const { requests, clock } = this.#settings;
    const linesOf = (commits: readonly string[]) => this.#settings.linesOf(commits, clock.now());
    const known = this.known();
    const { withoutEffect, prepare } = table[action.type];
    let but = "";
    const addressed = () => {
      const environments = this.#environmentsOf(action, person, known);
      const why = (environment: Environment) => withoutEffect?.(environment, known.of(environment), person);
      const free = environments.filter((environment) => why(environment) === undefined);
      const without = listed(environments, why);
      if (free.length === 0 && without !== "")
        throw wrong(`${verbs[action.type].noun} has no effect, because nothing is applied in ${without}`);
      if (without !== "") but = ` Nothing is applied in ${without}.`;
      const where = (some: readonly Environment[]) =>
        action.environment === "" && some.length === environments.length
          ? "all environments"
          : some.map(({ name }) => name).join(", ");
      return { environments, free, where };
    };
    const prepared = await prepare({ action, person, known, requests, clock, linesOf, addressed });
    const { to = [], plan, message } = prepared;
    const over = inSentence(
      to.flatMap(({ key, name }) =>
        requests
          .approvalsEndedIn([key], plan)
          .map((each) => `the approval of the plan ${each.plan.slice(0, 16)} of ${name} by ${each.by.name}`),
      ),
    );
    const waits = listed(to, (environment) => {
      const { rules } = known.of(environment);
      return rules && reasonToHold(rules);
    });
    const details = [prepared.detail ?? [], over === "" ? [] : `ends ${over}`].flat();
    return {
      ...prepared,
      ...(details.length > 0 && { detail: details.join("; ") }),
      message:
        message +
        but +
        (waits === "" ? "" : ` Nothing is applied before that ends: ${waits}.`) +
        (over === "" ? "" : ` This ends ${over}.`),
    };
  }

  /** The environments of a name. An environment that the person may not see is answered like one that does not exist. */
  #environmentsOf(action: UserAction, person: Person, targets: RequestTargets): readonly Environment[] {
    const [{ type, environment }, { environments }] = [action, targets];
    const { role } = verbs[type];
    const key = environmentKeyOf(environment.split("/"));
    const found = environments.find((each) => each.key === key || each.name === environment);
    const names = environment === "" ? [] : (found?.names ?? environment.split("/"));
    const meant = didYouMean(environment, environments, person);
    if (!may(person, role, names)) {
      const where = environment === "" ? "everywhere" : `in ${environment}`;
      throw forbidden(person, role, where + meant);
    }
    if (environments.length === 0 && !(environment === "" && type === "refresh"))
      throw wrong("the service has not read the documents yet; ask again in a moment");
    if (environment === "") return environments;
    if (found) return [found];
    throw wrong(`no document declares ${environment}${meant}`);
  }
}

/** `shop/staging (paused until …), shop/production (…)`: the environments for which there is a reason. */
function listed(all: readonly Environment[], why: (each: Environment) => string | undefined): string {
  return all
    .flatMap((each) => {
      const reason = why(each);
      return reason === undefined ? [] : [`${each.name} (${reason})`];
    })
    .join(", ");
}
