import { parseReference } from "../../core/model/addresses/address.ts";
import type { Position, Problem } from "../../core/problems/problem.ts";
import type { Restriction } from "../../core/model/addresses/restriction.ts";
import { checkFor } from "../../core/model/schema/check.ts";
import { durationOf } from "../../core/model/schema/duration.ts";
import { type DocumentMistake, type Path, quote } from "../../core/source/mistake.ts";
import { type EnvironmentScope, readEnvironmentScope } from "../../core/model/addresses/scope.ts";
import type { Identity } from "../identity.ts";
import { mistakeAt, readDeclared, type DeclarationForm } from "../declaration-file.ts";
import { checks } from "./checks/index.js";
import { type PreviewPolicy, previewMistakes, previewsOf } from "./previews.ts";
import { type Mode, policyFormats, policySchema, type DeclaredPolicy } from "./schema.ts";
import type { Window } from "./windows.ts";

/** The declared rules of a policy. */
export interface DeclaredRules {
  onCommit?: Mode | undefined;
  onDrift?: Mode | undefined;
  onFailure?: "report" | "rollback" | undefined;
  retry?: Retry | undefined;
  prune?: boolean | undefined;
}

/** The number of retries of a failed deployment, and their delay: milliseconds, doubled with each retry. */
export interface Retry {
  limit: number;
  backoff: number;
}

/** A time until which nothing is applied. */
export interface Suspension {
  /** Milliseconds since 1970; Infinity: nobody knows the end. */
  until: number;
  reason: string;
  /** The person who requested it, and the environments; absent: the policy of the repository declares it. */
  pause?: { pattern: string; by: Identity };
}

export interface EnvironmentRules extends DeclaredRules {
  pattern: EnvironmentScope;
  suspend?: Suspension | undefined;
  windows?: readonly Window[] | undefined;
  promote?: Promotion | undefined;
}

/** An environment that has to be synced and healthy before commits are applied. */
export interface Promotion {
  /** The names of its project and its own. */
  after: readonly string[];
  /** In milliseconds. */
  healthyFor: number;
  /** The declared text: `10m`. */
  text: string;
}

export interface CommitPolicy {
  /** For environments without rules of their own. */
  defaults: DeclaredRules;
  environments: readonly EnvironmentRules[];
  /** Environments for pull requests; absent: none. */
  previews?: PreviewPolicy;
  maxDeletes?: { commit?: number; day?: number };
}

/** For a commit without a policy file. */
export const noPolicy: CommitPolicy = { defaults: {}, environments: [] };

/** A policy, its mistakes, and its entries that may match nothing. */
export interface ReadPolicy {
  policy: CommitPolicy;
  problems: Problem[];
  restrictions: Restriction[];
}

const form: DeclarationForm<DeclaredPolicy> = {
  name: "policy",
  example: "on_drift: report",
  check: checkFor({ made: checks["Policy"], schema: () => policySchema, formats: policyFormats }),
  formats: policyFormats,
  senseless({ environments = {}, previews }) {
    return [
      ...Object.entries(environments).flatMap(([text, rules]) => {
        const path = ["environments", text];
        const pattern = readEnvironmentScope(text);
        const ofText = { ...mistakeAt(path, "", ""), at: "key" as const, ...pattern };
        return [
          ...("matches" in pattern ? [] : [{ ...ofText, message: `${quote(text)} ${pattern.message}` }]),
          ...(rules.windows ?? []).flatMap(({ allow, deny }, index) =>
            (allow === undefined) === (deny === undefined)
              ? [windowMistake([...path, "windows", index])]
              : [],
          ),
        ];
      }),
      ...(previews ? previewMistakes(previews) : []),
    ];
  },
};

/** Reads a policy file. Every mistake is a problem with its position. @param name its name in messages */
export function readPolicy(content: Uint8Array, name: string): ReadPolicy {
  const { value, positionOf, problems } = readDeclared(content, name, form);
  if (!value) return { policy: noPolicy, problems, restrictions: [] };
  const { environments = {}, max_deletes: maxDeletes, previews } = value;
  const restrictions: Restriction[] = [];
  const policy = {
    defaults: rulesOf(value),
    environments: Object.entries(environments).flatMap(([text, rules]) => {
      const path = ["environments", text];
      const pattern = readEnvironmentScope(text, { member: "environments", position: positionOf(path) });
      if (!("matches" in pattern)) return [];
      restrictions.push(
        ...(pattern.restriction ? [pattern.restriction] : []),
        ...restrictionsOf(text, rules, (member) => positionOf([...path, ...member.split(".")])),
      );
      return [{ pattern, ...environmentRulesOf(rules) }];
    }),
    ...(maxDeletes && { maxDeletes }),
    ...(previews && { previews: previewsOf(previews) }),
  };
  return { policy, problems: [], restrictions };
}

/** A suspension that may have ended, and a promotion from an environment that may not exist. */
function restrictionsOf(
  text: string,
  { suspend, promote }: DeclaredEnvironment,
  positionOf: (member: string) => Position,
): Restriction[] {
  const declaredBy = (member: string) => ({ member, position: positionOf(member) });
  const { member, ...place } = declaredBy("suspend.until");
  const after = promote && readEnvironmentScope(promote.after, declaredBy("promote.after"));
  return [
    ...(suspend
      ? [
          {
            title: `${member} of ${quote(text)}`,
            ...place,
            until: Date.parse(suspend.until),
            matches: () => true,
          },
        ]
      : []),
    ...(after && "matches" in after && after.restriction
      ? [{ ...after.restriction, effect: `prevents every change in ${quote(text)}` }]
      : []),
  ];
}

type DeclaredEnvironment = NonNullable<DeclaredPolicy["environments"]>[string];

function rulesOf(
  declared: Pick<DeclaredPolicy, "on_commit" | "on_drift" | "on_failure" | "retry" | "prune">,
): DeclaredRules {
  const { on_commit: onCommit, on_drift: onDrift, on_failure: onFailure, retry, prune } = declared;
  const backoff = retry && (durationOf(retry.backoff) ?? 0);
  return {
    onCommit,
    onDrift,
    onFailure,
    retry: retry && { limit: retry.limit, backoff: backoff ?? 0 },
    prune,
  };
}

function environmentRulesOf(declared: DeclaredEnvironment): Omit<EnvironmentRules, "pattern"> {
  const { suspend, promote, windows = [] } = declared;
  return {
    ...rulesOf(declared),
    suspend: suspend && { ...suspend, until: Date.parse(suspend.until) },
    promote: promote && {
      after: parseReference(promote.after),
      healthyFor: durationOf(promote.healthy_for) ?? 0,
      text: promote.healthy_for,
    },
    windows: windows.map(({ allow, deny = "", duration, timezone = "UTC" }) => ({
      type: allow === undefined ? "deny" : "allow",
      cron: allow ?? deny,
      duration: durationOf(duration) ?? 0,
      timezone,
    })),
  };
}

function windowMistake(path: Path): DocumentMistake {
  return mistakeAt(
    path,
    "a window has either allow or deny",
    'write one of them, such as allow: "0 8 * * 1-5"',
  );
}
