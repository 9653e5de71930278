import Type, { type TSchema } from "typebox";
import { meantBy } from "../../core/model/addresses/meant.ts";
import { form, optional, text } from "../../core/outputs/forms/forms.ts";
import { isFields, own, textIn } from "../../core/values/json.ts";
import { capitalized } from "../../core/values/text.ts";
import { may, type Person } from "../people/index.ts";
import type { Environment } from "../policy/index.ts";
import { type MemberName, membersOf, type VerbWords, type VerbName, verbs } from "../verbs.ts";

/** A request of a person. */
export interface UserAction extends Partial<Record<Exclude<MemberName, "all">, string | undefined>> {
  type: VerbName;
  /** Empty: everything. */
  environment: string;
  all?: boolean | undefined;
  dry_run?: boolean | undefined;
}

/** Why something is not done that somebody has requested. */
export class UserActionError extends Error {
  /** `forbidden`: the person may not; `wrong`: nobody could ask for that now. */
  readonly code: "forbidden" | "wrong";

  constructor(code: UserActionError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export function wrong(message: string): UserActionError {
  return new UserActionError("wrong", message);
}

/** The end of a refusal: the environment that a name probably means, of those that the person may see. */
export function didYouMean(name: string, environments: readonly Environment[], person: Person): string {
  const seen = environments.filter(({ names }) => may(person, "see", names));
  const meant = meantBy(name, seen, (environment) => environment.name);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

export function formOf(verb: VerbName): TSchema {
  const members = Object.entries(membersOf(verb)).map(([name, { words, flag }]) => {
    const description = `${capitalized(words)}.`;
    return [name, optional(isSwitch(flag) ? Type.Boolean({ description }) : text(description))] as const;
  });
  return form(
    {
      type: Type.Literal(verb, { description: "The request." }),
      environment: optional(
        text("`shop/production`; of pauses also a pattern, such as `shop/*`; absent: everything."),
      ),
      ...Object.fromEntries(members),
      dry_run: optional(
        Type.Boolean({ description: "Whether the request is only checked, and its effect reported." }),
      ),
    },
    verbs[verb].description,
  );
}

/** A request as a program or a form sends it; undefined if it is none. */
export function userActionIn(given: unknown): UserAction | undefined {
  if (!isFields(given)) return undefined;
  const type = verbNames.find((name) => name === textIn(given, "type"));
  if (type === undefined) return undefined;
  const isOn = (name: string) => textIn(given, name) === "true" || own(given, name) === true;
  const members = Object.entries(membersOf(type)).map(
    ([name, { flag }]) => [name, isSwitch(flag) ? isOn(name) : textIn(given, name)] as const,
  );
  return {
    ...Object.fromEntries(members),
    type,
    environment: textIn(given, "environment") ?? "",
    dry_run: isOn("dry_run"),
  };
}

/** The verbs, in the order in which the page has them. */
export const verbNames = Object.keys(verbs) as VerbName[];

export function wordsOf(verb: VerbName): VerbWords {
  return verbs[verb];
}

function isSwitch(flag: string | undefined): boolean {
  return flag !== undefined && !flag.includes("<");
}
