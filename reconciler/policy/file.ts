import { parseReference } from "../../core/address.ts";
import { type Fields, isFields, type Json, own, textIn } from "../../core/json.ts";
import { yamlNotation } from "../../core/manifest/index.ts";
import type { Position, Problem } from "../../core/problem.ts";
import type { Restriction } from "../../core/restriction.ts";
import { explain } from "../../core/schema/explain.ts";
import { durationOf } from "../../core/schema/duration.ts";
import { checkFor } from "../../core/schema/check.ts";
import { readDocuments } from "../../core/source/document.ts";
import { FileProblems } from "../../core/source/file-problems.ts";
import { Lines } from "../../core/source/lines.ts";
import { maximumProblems } from "../../core/source/limits.ts";
import { quote, type DocumentMistake } from "../../core/source/mistake.ts";
import { decodeText, misplacedCharacter, textMistake } from "../../core/source/text.ts";
import { escapeControl } from "../../core/text.ts";
import { checks } from "./checks/index.js";
import {
  type EnvironmentPattern,
  type Mode,
  policyFormats,
  policySchema,
  readEnvironmentPattern,
} from "./schema.ts";
import type { Identity } from "../identity.ts";
import { type PreviewPolicy, previewsIn } from "./previews.ts";
import { everBegins, type Window } from "./windows.ts";

/** The statements of a policy; absent members are not stated. */
export interface StatedRules {
  onCommit?: Mode;
  onDrift?: Mode;
  onFailure?: FailureMode;
  prune?: boolean;
}

/** The reaction to a failed deployment of a commit. */
export type FailureMode = "report" | "rollback";

/** A time until which nothing is applied. */
export interface Suspension {
  /** Milliseconds since 1970. */
  until: number;
  reason: string;
  /** The person who has asked for it, and for which environments; absent: the policy of the repository says so. */
  pause?: { pattern: string; by: Identity };
}

/** The rules for the environments of a pattern. */
export interface EnvironmentRules extends StatedRules {
  pattern: EnvironmentPattern;
  suspend?: Suspension;
  windows?: readonly Window[];
  promote?: Promotion;
}

/** An environment that has to be in step and healthy before commits are applied. */
export interface Promotion {
  /** The names of its project and its own. */
  after: readonly string[];
  /** For how long, in milliseconds. */
  healthyFor: number;
  /** The same as the policy has it: `10m`. */
  text: string;
}

/** The policy of a commit. */
export interface CommitPolicy {
  /** For environments without rules of their own. */
  defaults: StatedRules;
  environments: readonly EnvironmentRules[];
  /** Environments for pull requests; absent: there are none. */
  previews?: PreviewPolicy;
  /** The most that is deleted or replaced. */
  maxDeletes?: { commit?: number; day?: number };
}

/** The policy of a commit without a policy file. */
export const noPolicy: CommitPolicy = { defaults: {}, environments: [] };

/** What a policy restricts, by its patterns. */
export function restrictionsIn({ environments }: Pick<CommitPolicy, "environments">): Restriction[] {
  return environments.flatMap(({ pattern }) => pattern.restriction ?? []);
}

const check = checkFor({ made: checks["Policy"], schema: () => policySchema, formats: policyFormats });

const terms = { subject: "a policy", member: "member", notation: yamlNotation, formats: policyFormats };

/** Reads a policy file. Every mistake is a problem with its position. @param name its name in messages */
export function readPolicy(content: Uint8Array, name: string): { policy: CommitPolicy; problems: Problem[] } {
  const decoded = decodeText(content);
  const mistake = "text" in decoded ? textMistake(decoded.text) : decoded.mistake;
  if (mistake || !("text" in decoded)) {
    const { message, advice } = mistake ?? { message: "cannot be read", advice: "write it again" };
    return {
      policy: noPolicy,
      problems: [{ code: "unreadable", message: `${escapeControl(name)} ${message}`, advice }],
    };
  }
  return understand(new Lines(decoded.text.replace(/^\uFEFF/, ""), name));
}

function understand(lines: Lines): { policy: CommitPolicy; problems: Problem[] } {
  const report = new FileProblems(lines);
  const refused = () => ({ policy: noPolicy, problems: report.problems() });
  const misplaced = misplacedCharacter(lines.text);
  if (misplaced) report.add(misplaced);
  const [document, second] = misplaced ? [] : readDocuments(lines);
  if (!document) return refused();
  for (const mistake of document.mistakes) report.add(mistake);
  if (second)
    report.add({
      code: "invalid",
      message: "the policy contains more than one document",
      advice: "remove --- and everything after it",
      offset: second.start,
    });
  const { value } = document;
  if (report.problems().length > 0 || value === undefined) return refused();
  const { environments, mistakes: ofPatterns } = patternsIn(value, (path) =>
    lines.position(document.offsetOf(path, "key")),
  );
  const { mistakes: ofPreviews, ...previews } = previewsIn(value);
  const mistakes = isFields(value)
    ? [
        ...check(value)
          .slice(0, maximumProblems)
          .map((error) => explain(error, value, terms)),
        ...ofPatterns,
        ...ofPreviews,
      ]
    : [notMapping];
  const placed = mistakes.map((each) => ({ each, offset: document.offsetOf(each.path, each.at) }));
  for (const { each, offset } of placed.toSorted((left, right) => left.offset - right.offset))
    report.add({ ...each, code: "invalid", offset });
  if (mistakes.length > 0) return refused();
  return {
    policy: { defaults: statedIn(value), environments, ...limitsIn(value), ...previews },
    problems: [],
  };
}

const notMapping: DocumentMistake = {
  path: [],
  at: "value",
  message: "the policy must be a mapping",
  advice: "write members such as on_drift: report",
};

/** The rules by pattern, and the patterns that choose no environment. */
function patternsIn(
  value: Json,
  placeOf: (path: string[]) => Position,
): { environments: EnvironmentRules[]; mistakes: DocumentMistake[] } {
  const given = isFields(value) ? own(value, "environments") : undefined;
  const environments: EnvironmentRules[] = [];
  const mistakes: DocumentMistake[] = [];
  for (const [text, rules] of isFields(given) ? Object.entries(given) : []) {
    const position = placeOf(["environments", text]);
    const pattern = readEnvironmentPattern(text, { member: "environments", position });
    if ("matches" in pattern) {
      environments.push({
        pattern,
        ...statedIn(rules),
        ...suspensionIn(rules),
        ...windowsIn(rules),
        ...promotionIn(rules),
      });
      mistakes.push(...windowMistakes(["environments", text], rules));
      mistakes.push(...promotionMistakes(["environments", text], rules));
    } else
      mistakes.push({
        path: ["environments", text],
        at: "key",
        message: `${quote(text)} ${pattern.message}`,
        advice: pattern.advice,
      });
  }
  return { environments, mistakes };
}

/** The rules in a value whose form is checked elsewhere. */
function statedIn(value: Json): StatedRules {
  if (!isFields(value)) return {};
  const [onCommit, onDrift, onFailure, prune] = ["on_commit", "on_drift", "on_failure", "prune"].map(
    (member) => own(value, member),
  );
  return {
    ...(onCommit !== undefined && { onCommit: onCommit as Mode }),
    ...(onDrift !== undefined && { onDrift: onDrift as Mode }),
    ...(onFailure !== undefined && { onFailure: onFailure as FailureMode }),
    ...(prune !== undefined && { prune: prune === true }),
  };
}

/** The limits in a policy whose form is checked elsewhere. */
function limitsIn(value: Json): Pick<CommitPolicy, "maxDeletes"> {
  const limits = isFields(value) ? own(value, "max_deletes") : undefined;
  if (!isFields(limits)) return {};
  const [commit, day] = ["commit", "day"].map((member) => own(limits, member));
  return {
    maxDeletes: {
      ...(typeof commit === "number" && { commit }),
      ...(typeof day === "number" && { day }),
    },
  };
}

function suspensionIn(value: Json): { suspend?: Suspension } {
  const suspend = isFields(value) ? own(value, "suspend") : undefined;
  if (!isFields(suspend)) return {};
  return {
    suspend: {
      until: Date.parse(textIn(suspend, "until") ?? ""),
      reason: textIn(suspend, "reason") ?? "",
    },
  };
}

/** The environments that have to come first, in rules whose form is checked elsewhere. */
function promotionIn(rules: Json): { promote?: Promotion } {
  const promote = isFields(rules) ? own(rules, "promote") : undefined;
  if (!isFields(promote)) return {};
  const text = textIn(promote, "healthy_for") ?? "0s";
  return {
    promote: {
      after: parseReference(textIn(promote, "after") ?? ""),
      healthyFor: durationOf(text) ?? 0,
      text,
    },
  };
}

function promotionMistakes(path: readonly string[], rules: Json): DocumentMistake[] {
  const { promote } = promotionIn(rules);
  return !promote || (promote.after.length === 2 && !promote.after.join().includes("*"))
    ? []
    : [
        {
          path: [...path, "promote", "after"],
          at: "value",
          message: "after does not name an environment",
          advice: "write PROJECT/ENVIRONMENT, such as shop/staging",
        },
      ];
}

/** The windows in rules whose form is checked elsewhere. */
function windowsIn(rules: Json): { windows?: Window[] } {
  const windows = listedWindows(rules).map(({ each }): Window => {
    const allow = textIn(each, "allow");
    return {
      type: allow === undefined ? "deny" : "allow",
      cron: allow ?? textIn(each, "deny") ?? "",
      duration: durationOf(textIn(each, "duration") ?? "") ?? 0,
      timezone: textIn(each, "timezone") ?? "UTC",
    };
  });
  return windows.length > 0 ? { windows } : {};
}

/** A window that says neither whether it allows nor whether it denies, or both. */
function windowMistakes(path: readonly string[], rules: Json): DocumentMistake[] {
  return listedWindows(rules).flatMap(({ each, index }) => [
    ...idleWindow([...path, "windows", index], each),
    ...((own(each, "allow") === undefined) === (own(each, "deny") === undefined)
      ? [
          {
            path: [...path, "windows", index],
            at: "value" as const,
            message: "a window has either allow or deny",
            advice: 'write one of them, such as allow: "0 8 * * 1-5"',
          },
        ]
      : []),
  ]);
}

/** A window that never begins, such as one on 31 February. */
function idleWindow(path: readonly (string | number)[], window: Fields): DocumentMistake[] {
  return ["allow", "deny"].flatMap((member) => {
    const cron = textIn(window, member);
    return cron === undefined || everBegins(cron)
      ? []
      : [
          {
            path: [...path, member],
            at: "value" as const,
            message: `the window never begins: there is no time that ${quote(cron)} means`,
            advice: "write a day that the month has",
          },
        ];
  });
}

function listedWindows(rules: Json): { each: Fields; index: number }[] {
  const given = isFields(rules) ? own(rules, "windows") : undefined;
  return Array.isArray(given)
    ? given.flatMap((each, index) => (isFields(each) ? [{ each, index }] : []))
    : [];
}
