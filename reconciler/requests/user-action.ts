import Type from "typebox";
import { quote } from "../../core/source/mistake.ts";
import { readStored } from "../../core/files/stored-form.ts";
import { meantBy } from "../../core/model/addresses/meant.ts";
import { form, optional, text } from "../../core/outputs/forms/forms.ts";
import { isFields, own } from "../../core/values/json.ts";
import { capitalized } from "../../core/values/text.ts";
import { may, type Person } from "../people/index.ts";
import type { Environment } from "../policy/index.ts";
import { type MemberName, type VerbName, verbs } from "../verbs.ts";

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
  /** Of HTTP. 400: nobody could ever ask for that; 403: the person may not; 409: nobody could ask for that now. */
  readonly status: 400 | 403 | 409;

  constructor(status: UserActionError["status"], message: string) {
    super(message);
    this.status = status;
  }
}

export function wrong(message: string): UserActionError {
  return new UserActionError(409, message);
}

export function malformed(message: string): UserActionError {
  return new UserActionError(400, message);
}

/** @param where ` in shop/staging`, and what else the person should know */
export function forbidden({ identity }: Person, role: string, where: string): UserActionError {
  return new UserActionError(403, `${identity.name} does not have the role ${role} ${where}`);
}

/** The end of a refusal: the environment that a name probably means, of those that the person may see. */
export function didYouMean(name: string, environments: readonly Environment[], person: Person): string {
  const seen = environments.filter(({ names }) => may(person, "see", names));
  const meant = meantBy(name, seen, (environment) => environment.name);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

export function formOf(verb: VerbName) {
  const members = Object.entries(verbs[verb].members).map(([name, { words, flag }]) => {
    const description = `${capitalized(words)}.`;
    return [
      name,
      optional(flag?.includes("<") === false ? Type.Boolean({ description }) : text(description)),
    ] as const;
  });
  return form(verbs[verb].description, {
    type: Type.Literal(verb, { description: "The request." }),
    environment: optional(
      text("`shop/production`; of pauses also a pattern, such as `shop/*`; absent: everything."),
    ),
    ...Object.fromEntries(members),
    dry_run: optional(
      Type.Boolean({ description: "Whether the request is only checked, and its effect reported." }),
    ),
  });
}

/** A request as a program sends it. @throws UserActionError for another form: a misspelled environment would mean all */
export function userActionIn(given: unknown): UserAction {
  const fields = isFields(given) ? given : {};
  const type = verbNames.find((name) => name === own(fields, "type"));
  if (type === undefined)
    throw malformed(`there is no such request; the type of a request is one of ${verbNames.join(", ")}`);
  const its = formOf(type);
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(its.properties, name));
  const { content, damage } = readStored(its, fields);
  const mistake = unknown === undefined ? damage : `${quote(unknown)} is not one of its members`;
  if (content === undefined || mistake !== undefined)
    throw malformed(
      `the request ${type} is wrong: ${mistake}; its members are ${Object.keys(its.properties).join(", ")}`,
    );
  if (content.environment?.trim() === "")
    throw malformed("the name of the environment is empty; leave the member out for all environments");
  return { ...content, type, environment: content.environment ?? "" };
}

/** The request of a form. One click approves no permanent loss: its name has to be typed too. */
export function userActionOfForm(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { _csrf: _proof, all, ...given } = body;
  return {
    ...(given["type"] === "approve" && { lost: "" }),
    ...given,
    ...(all !== undefined && { all: all === "true" || all }),
  };
}

/** The verbs, in the order in which the page has them. */
export const verbNames = Object.keys(verbs) as VerbName[];
