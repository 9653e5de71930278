import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { findKind, kindOf } from "../../core/model/kinds/index.ts";
import { formatsFor } from "../../core/manifests/manifest/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { Restriction } from "../../core/model/addresses/restriction.ts";
import { checkFor } from "../../core/model/schema/check.ts";
import { type DocumentMistake, type Path, quote } from "../../core/source/mistake.ts";
import { type EnvironmentScope, readEnvironmentScope } from "../../core/model/addresses/scope.ts";
import { globOf } from "../sources/index.ts";
import { mistakeAt, readDeclared, type DeclarationForm } from "../declaration-file.ts";
import { accessFormats, accessSchema, type DeclaredAccess } from "./access-schema.ts";
import { checks } from "./checks/index.js";
import type { IgnoredFields } from "./ignored-fields.ts";
import type { Grant } from "./roles.ts";

/** The sign-in by OpenID Connect. */
export interface SignInSettings {
  issuer: URL;
  clientId: string;
  /** URL of the page, without a slash at its end. */
  url: string;
  groupsClaim: string;
}

/** The changes that the repository may make. */
export interface Limits {
  environments?: readonly EnvironmentScope[] | undefined;
  /** Their names. */
  kinds?: ReadonlySet<string> | undefined;
}

/** The rules of the operator for commits. */
export interface CommitRules {
  limits: Limits;
  ignored: readonly IgnoredFields[];
  /** What the patterns of environments are about, of limits and roles alike; absent: nothing. */
  restrictions?: readonly Restriction[];
}

export const noRules: CommitRules = { limits: {}, ignored: [] };

/** The content of the access file. */
export interface AccessRules extends CommitRules {
  signIn?: SignInSettings;
  roles: readonly (Grant & ({ group: string } | { name: string; tokenFile: string }))[];
}

const form: DeclarationForm<DeclaredAccess> = {
  name: "access file",
  example: "roles",
  check: checkFor({ made: checks["Access"], schema: () => accessSchema, formats: accessFormats }),
  formats: accessFormats,
  senseless({ roles = [], ignore = [] }) {
    return [
      ...roles.flatMap((role, index) => roleMistakes(role, roles, ["roles", index])),
      ...ignore.flatMap(({ kinds: named, fields }, index) =>
        fields.flatMap((field, place) =>
          named.flatMap((name) => fieldMistakes(field, name, ["ignore", index, "fields", place])),
        ),
      ),
    ];
  },
};

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
  const { value, problems } = readDeclared(text, file, form);
  return { rules: value ? rulesIn(value, file) : { roles: [], ...noRules }, problems };
}

type DeclaredRole = NonNullable<DeclaredAccess["roles"]>[number];

function roleMistakes(role: DeclaredRole, all: readonly DeclaredRole[], path: Path): DocumentMistake[] {
  const { group, token_file: file, name } = role;
  if ((group === undefined) === (file === undefined))
    return [mistakeAt(path, "a role needs either a group or a token", "write either group or token_file")];
  if ((file === undefined) !== (name === undefined))
    return [mistakeAt(path, "a token needs a name, and a group needs none", "write name beside token_file")];
  const isShared = name !== undefined && all.some((each) => each.name === name && each.token_file !== file);
  return isShared
    ? [
        mistakeAt(
          [...path, "name"],
          `the name ${quote(name)} is of two tokens`,
          "give each token a name of its own, so that the audit can distinguish them",
        ),
      ]
    : [];
}

function fieldMistakes(field: string, kindName: string, path: Path): DocumentMistake[] {
  const kind = findKind(kindName);
  const format = kind && formatsFor(kind)["field"];
  const mistake = format?.mistake(field);
  return mistake && !format?.rule(field)
    ? [mistakeAt(path, `${quote(field)} ${mistake.message}`, mistake.advice)]
    : [];
}

/** The names of kinds, which may be written in any case. */
function spelled(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => kindOf(name).name));
}

function rulesIn(declared: DeclaredAccess, file: string): AccessRules {
  const folder = dirname(resolve(file));
  const { sign_in: signIn, roles = [], ignore = [], limits = {} } = declared;
  const all = Object.entries({ roles, ignore, limits: [limits] }).flatMap(([member, each]) =>
    each.flatMap(({ environments = [] }, index) =>
      patternsIn(environments, `${member}${member === "limits" ? "" : `[${index}]`}.environments of ${file}`),
    ),
  );
  return {
    restrictions: all.flatMap(({ restriction }) => restriction ?? []),
    ...(signIn && {
      signIn: {
        issuer: new URL(signIn.issuer),
        clientId: signIn.client_id,
        url: signIn.url.replace(/\/+$/, ""),
        groupsClaim: signIn.groups_claim ?? "groups",
      },
    }),
    roles: roles.map((role) => {
      const { group, name = "", token_file: token = "" } = role;
      const holder = group === undefined ? { name, tokenFile: resolve(folder, token) } : { group };
      return { ...holder, role: role.role, environments: patternsIn(role.environments), ...sourcesOf(role) };
    }),
    ignored: ignore.map(({ kinds, fields, environments }) => ({
      kinds: spelled(kinds),
      fields,
      environments: patternsIn(environments),
    })),
    limits: {
      ...(limits.environments && { environments: patternsIn(limits.environments) }),
      ...(limits.kinds && { kinds: spelled(limits.kinds) }),
    },
  };
}

/** For which of many sources a role is: for all, unless it says so. */
function sourcesOf({ teams, sources }: DeclaredRole): Pick<Grant, "isFor"> {
  if (!teams && !sources) return {};
  const choice = (texts: readonly string[] | undefined) => {
    const expressions = texts?.map(globOf);
    return (name: string | undefined) =>
      !expressions || (name !== undefined && expressions.some((each) => each.test(name)));
  };
  const [isTeam, isSource] = [choice(teams), choice(sources)];
  return { isFor: ({ name, team }) => isTeam(team) && isSource(name) };
}

/** Where something holds; default: everywhere. @param member that declares it; absent: a pattern that matches nothing is not reported */
function patternsIn(texts: readonly string[] = ["**"], member?: string): EnvironmentScope[] {
  const by = member === undefined ? undefined : { member };
  return texts.map((text) => readEnvironmentScope(text, by)).filter((pattern) => "matches" in pattern);
}
