import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Fields, isFields, own, textIn } from "../../core/json.ts";
import { kinds } from "../../core/kinds/index.ts";
import { formatsFor } from "../../core/manifest/index.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { checkFor } from "../../core/schema/check.ts";
import { plainFormats } from "../../core/schema/formats.ts";
import { type DocumentMistake, quote } from "../../core/source/mistake.ts";
import { mappingsIn, patternMistakes, readOperatorFile, textsIn } from "../operator-file.ts";
import { globOf } from "../sources/index.ts";
import { type EnvironmentPattern, readEnvironmentPattern } from "../policy/index.ts";
import { accessSchema, type Role } from "./access-schema.ts";
import { checks } from "./checks/index.js";
import type { IgnoredFields } from "./ignored.ts";
import type { Grant } from "./roles.ts";

/** The sign-in by OpenID Connect. */
export interface SignInSettings {
  issuer: URL;
  clientId: string;
  /** URL of the page, without a slash at its end. */
  url: string;
  groupsClaim: string;
}

/** Who has a role: a group, or whoever has the token in a file. */
export type RoleHolder = { group: string } | { name: string; tokenFile: string };

/** The changes that the repository may make. */
export interface Limits {
  environments?: readonly EnvironmentPattern[];
  /** Their names. */
  kinds?: ReadonlySet<string>;
}

/** The bounds of the operator for commits. */
export interface Bounds {
  limits: Limits;
  ignored: readonly IgnoredFields[];
}

/** Nothing is bounded. */
export const unbounded: Bounds = { limits: {}, ignored: [] };

/** The content of the access file. */
export interface AccessRules extends Bounds {
  signIn?: SignInSettings;
  roles: readonly (Grant & RoleHolder)[];
}

const check = checkFor({ made: checks["Access"], schema: () => accessSchema, formats: plainFormats });

/** The file of the operator that says who may act. It is read again each time, so that a role ends without a restart. */
export class AccessFile {
  readonly #file: string;
  #text: string | undefined;
  #rules: AccessRules | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** @throws InvalidInputError when it cannot be read or has mistakes: then nobody has a role */
  async rules(): Promise<AccessRules> {
    const text = await readFile(this.#file, "utf8").catch(() => undefined);
    if (text === undefined)
      throw new InvalidInputError([
        {
          code: "setting",
          message: `the access file ${this.#file} cannot be read`,
          advice: "check its name and its permissions",
        },
      ]);
    if (this.#rules && text === this.#text) return this.#rules;
    const { rules, problems } = readAccess(text, this.#file);
    if (problems.length > 0) throw new InvalidInputError(problems);
    this.#text = text;
    this.#rules = rules;
    return rules;
  }
}

/** Reads the text of an access file. Every mistake is a problem with its position. @param file its name in messages */
export function readAccess(text: string, file: string): { rules: AccessRules; problems: Problem[] } {
  const form = { name: "access file", example: "roles", check, senseless };
  const { value, problems } = readOperatorFile(text, file, form);
  return value
    ? { rules: rulesIn(value, dirname(resolve(file))), problems }
    : { rules: { roles: [], ...unbounded }, problems };
}

/** Mistakes of documents whose form is right. */
function senseless(value: Fields): DocumentMistake[] {
  const mistakes: DocumentMistake[] = [];
  const refuse = (path: readonly (string | number)[], message: string, advice: string) =>
    mistakes.push({ path, at: "value", message, advice });
  for (const [index, role] of mappingsIn(value, "roles").entries()) {
    const [group, file, name] = ["group", "token_file", "name"].map((member) => textIn(role, member));
    if ((group === undefined) === (file === undefined))
      refuse(["roles", index], "a role is for a group or for a token", "write either group or token_file");
    else if ((file === undefined) !== (name === undefined))
      refuse(["roles", index], "a token has a name, and a group is its own", "write name beside token_file");
    else if (name !== undefined) {
      const other = mappingsIn(value, "roles").find(
        (earlier) => textIn(earlier, "name") === name && textIn(earlier, "token_file") !== file,
      );
      if (other)
        refuse(
          ["roles", index, "name"],
          `the name ${quote(name)} is of two tokens`,
          "give each token a name of its own, so that the audit tells them apart",
        );
    }
    mistakes.push(...patternMistakes(["roles", index], role));
  }
  const limits = own(value, "limits");
  if (isFields(limits)) {
    mistakes.push(...patternMistakes(["limits"], limits));
    mistakes.push(...kindMistakes(["limits"], limits));
  }
  for (const [index, ignored] of mappingsIn(value, "ignore").entries()) {
    const path = ["ignore", index];
    mistakes.push(...patternMistakes(path, ignored), ...kindMistakes(path, ignored));
    const named = kinds.filter(({ name }) => textsIn(ignored, "kinds").includes(name));
    for (const [place, field] of textsIn(ignored, "fields").entries())
      for (const kind of named) {
        const mistake = formatsFor(kind)["field"]?.mistake(field);
        const isRight = formatsFor(kind)["field"]?.rule(field) === true;
        if (!isRight && mistake)
          refuse([...path, "fields", place], `${quote(field)} ${mistake.message}`, mistake.advice);
      }
  }
  const signIn = own(value, "sign_in");
  for (const member of isFields(signIn) ? ["issuer", "url"] : []) {
    const url = isFields(signIn) ? URL.parse(textIn(signIn, member) ?? "") : null;
    const isLocal = url !== null && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
    if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLocal))
      refuse(["sign_in", member], "is not an https URL", "write one such as https://login.example.com");
  }
  return mistakes;
}

function kindMistakes(path: readonly (string | number)[], fields: Fields): DocumentMistake[] {
  return textsIn(fields, "kinds").flatMap((kind, index) =>
    kinds.some(({ name }) => name === kind)
      ? []
      : [
          {
            path: [...path, "kinds", index],
            at: "value" as const,
            message: `${quote(kind)} is not a kind`,
            advice: "write one such as Job",
          },
        ],
  );
}

function rulesIn(value: Fields, folder: string): AccessRules {
  const signIn = own(value, "sign_in");
  const limits = own(value, "limits");
  return {
    ...(isFields(signIn) && {
      signIn: {
        issuer: new URL(textIn(signIn, "issuer") ?? ""),
        clientId: textIn(signIn, "client_id") ?? "",
        url: (textIn(signIn, "url") ?? "").replace(/\/+$/, ""),
        groupsClaim: textIn(signIn, "groups_claim") ?? "groups",
      },
    }),
    roles: mappingsIn(value, "roles").map((role) => {
      const group = textIn(role, "group");
      const holder: RoleHolder =
        group === undefined
          ? { name: textIn(role, "name") ?? "", tokenFile: resolve(folder, textIn(role, "token_file") ?? "") }
          : { group };
      return {
        ...holder,
        role: textIn(role, "role") as Role,
        environments: environmentsOf(role),
        ...sourcesOf(role),
      };
    }),
    ignored: mappingsIn(value, "ignore").map((each) => ({
      kinds: new Set(textsIn(each, "kinds")),
      fields: textsIn(each, "fields"),
      environments: environmentsOf(each),
    })),
    limits: isFields(limits)
      ? {
          ...(own(limits, "environments") !== undefined && {
            environments: patternsIn(textsIn(limits, "environments")),
          }),
          ...(own(limits, "kinds") !== undefined && { kinds: new Set(textsIn(limits, "kinds")) }),
        }
      : {},
  };
}

/** For which of many sources a role is: for all, unless it says so. */
function sourcesOf(role: Fields): Pick<Grant, "isFor"> {
  if (own(role, "teams") === undefined && own(role, "sources") === undefined) return {};
  const choice = (member: string) => {
    const expressions = textsIn(role, member).map(globOf);
    const isStated = own(role, member) !== undefined;
    return (name: string | undefined) =>
      !isStated || (name !== undefined && expressions.some((each) => each.test(name)));
  };
  const [isTeam, isSource] = [choice("teams"), choice("sources")];
  return { isFor: ({ name, team }) => isTeam(team) && isSource(name) };
}

/** Where something holds: everywhere, unless it says so. */
function environmentsOf(fields: Fields): EnvironmentPattern[] {
  return patternsIn(own(fields, "environments") === undefined ? ["**"] : textsIn(fields, "environments"));
}

function patternsIn(texts: readonly string[]): EnvironmentPattern[] {
  return texts.map((text) => readEnvironmentPattern(text)).filter((pattern) => "matches" in pattern);
}
