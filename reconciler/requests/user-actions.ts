import { InvalidInputError } from "../../core/problems/problem.ts";
import { inSentence, escapeControl } from "../../core/values/text.ts";
import { may, type Person } from "../people/index.ts";
import { reasonToHold, type Environment, environmentKeyOf } from "../policy/index.ts";
import type { AuditTrail } from "./person-entry.ts";
import { sentenceOf } from "./requests.ts";
import { table } from "./table.ts";
import { verbs } from "../verbs.ts";
import { didYouMean, forbidden, type UserAction, UserActionError, wrong } from "./user-action.ts";
import type { AddressedEnvironments, PreparedUserAction, RequestTargets, RequestTools } from "./verb.ts";

export interface UserActionsSettings extends RequestTools {
  audit: AuditTrail;
  known(): RequestTargets;
  /** Starts the next cycle, and shows new requests before it. */
  changed(): void;
}

const longestName = 300;

/** Takes what people ask for: asks for their role, writes it down, and passes it on to the next cycle. */
export class UserActions {
  readonly audit: AuditTrail;
  readonly known: () => RequestTargets;
  readonly #settings: UserActionsSettings;
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: UserActionsSettings) {
    this.audit = settings.audit;
    this.known = settings.known;
    this.#settings = settings;
  }

  /** Takes the request of a person, and returns the confirmation. @param client its address @throws UserActionError */
  async take(given: UserAction, person: Person, client: string): Promise<string> {
    const { requests, changed, clock } = this.#settings;
    const environment = escapeControl(given.environment.slice(0, longestName));
    const action = { ...given, environment };
    const of = environment === "" ? {} : { environment };
    const about = { by: person.identity, client, request: given.type, ...of };
    try {
      // Two people may ask at once, and one file keeps what both have requested.
      const done = this.#last.then(async () => {
        if (!requests.unknown) await requests.open();
        if (requests.unknown && action.type !== "refresh") throw requests.unknown;
        const prepared = await this.#prepared(action, person);
        if (action.dry_run) return prepared;
        await this.audit.add({ type: "requested", ...about, detail: prepared.detail });
        await requests.change(prepared, person.identity, clock.now());
        return prepared;
      });
      this.#last = done.catch(() => undefined);
      const { message, confirm } = await done;
      if (action.dry_run) return `Dry run: nothing is done. Otherwise: ${message}`;
      changed();
      return message + ((await confirm?.(this.known())) ?? "");
    } catch (error) {
      if (error instanceof InvalidInputError) throw wrong(`nothing is done, because ${sentenceOf(error)}`);
      if (error instanceof UserActionError)
        await this.audit.add({ type: "refused", ...about, reason: error.message });
      throw error;
    }
  }

  /** What a verb prepares, with what every request says: what it waits for, and what it ends. */
  async #prepared(action: UserAction, person: Person): Promise<PreparedUserAction> {
    const { requests } = this.#settings;
    const known = this.known();
    const addressed = () => addressedBy(action, person, known);
    const prepared = await table[action.type].prepare({
      ...this.#settings,
      action,
      person,
      known,
      addressed,
    });
    const { delay = ({ rules }) => rules && reasonToHold(rules) } = table[action.type];
    const waits = listed(prepared.to ?? [], (environment) => delay(known.of(environment)));
    const approvals = requests
      .approvalsEndedBy(prepared)
      .map(({ plan, name, by }) => `the approval of the plan ${plan.slice(0, 16)} of ${name} by ${by.name}`);
    const over = approvals.length === 0 ? undefined : inSentence(approvals);
    const details = [prepared.detail, over && `ends ${over}`].filter((detail) => detail !== undefined);
    const before = waits === "" ? "" : ` Nothing is applied before that ends: ${waits}.`;
    return {
      ...prepared,
      ...(details.length > 0 && { detail: details.join("; ") }),
      message: prepared.message + before + (over === undefined ? "" : ` This ends ${over}.`),
    };
  }
}

/** The environments of a name. An environment that the person may not see is answered like one that does not exist. */
function addressedBy(
  { type, environment }: UserAction,
  person: Person,
  { environments: all, of }: RequestTargets,
): AddressedEnvironments {
  const { role, noun } = verbs[type];
  const isAll = environment === "";
  const key = environmentKeyOf(environment.split("/"));
  const found = isAll ? undefined : all.find((each) => each.key === key || each.name === environment);
  const meant = found ? "" : didYouMean(environment, all, person);
  if (!may(person, role, isAll ? [] : (found?.names ?? environment.split("/"))))
    throw forbidden(person, role, (isAll ? "everywhere" : `in ${environment}`) + meant);
  if (all.length === 0 && !(isAll && type === "refresh"))
    throw wrong("the service has not read the documents yet; ask again in a moment");
  if (!isAll && !found) throw wrong(`no document declares ${environment}${meant}`);
  const environments = found ? [found] : all;
  const why = (each: Environment) => table[type].withoutEffect?.(each, of(each), person);
  const free = environments.filter((each) => why(each) === undefined);
  const without = listed(environments, why);
  if (free.length === 0 && without !== "")
    throw wrong(`${noun} has no effect, because nothing is applied in ${without}`);
  return {
    environments,
    free,
    but: without === "" ? "" : ` Nothing is applied in ${without}.`,
    where: (some) =>
      isAll && some.length === environments.length
        ? "all environments"
        : some.map(({ name }) => name).join(", "),
  };
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
