import { type Format, ruled } from "../schema/format.ts";
import { nearest } from "../schema/suggest.ts";
import type { Kind } from "./kind.ts";
import { findKind, kinds } from "./registry.ts";

const words: readonly (readonly [kinds: readonly string[], words: readonly string[]])[] = [
  [
    ["Application", "Container"],
    ["app", "deploy", "deployment", "pod", "replicaset", "service", "svc", "workload"],
  ],
  [["Container", "Database"], ["statefulset"]],
  [["CustomRole"], ["clusterrole"]],
  [["Database"], ["db", "mongo", "mongodb", "mysql", "postgres", "postgresql", "redis"]],
  [["DeploymentStage"], ["stage"]],
  [["Environment"], ["env", "namespace", "ns"]],
  [["Helm"], ["chart", "helmchart", "helmrelease", "helmservice"]],
  [["Job"], ["cron", "cronjob", "lifecyclejob", "task"]],
  [["Member"], ["user"]],
  [["Terraform"], ["opentofu", "terraformservice", "tofu"]],
];

/** The names of all kinds of documents, in alphabetical order. */
export const kindNames: readonly string[] = kinds.map(({ name }) => name).toSorted();

/** The lower-case names, as in addresses. */
export const kindSlugs: readonly string[] = kindNames.map((name) => name.toLowerCase());

/** The kinds of a word: a name in any case or number, or a word of another tool. Empty for other texts. */
export function kindsCalled(text: string): readonly Kind[] {
  const word = text.toLowerCase().replaceAll(/[-_ ]/g, "");
  for (const form of [word, word.replace(/s$/, "")]) {
    const kind = findKind(form);
    if (kind) return [kind];
    const [meant] = words.find(([, its]) => its.includes(form)) ?? [];
    if (meant) return kinds.filter(({ name }) => meant.includes(name));
  }
  return [];
}

/** The only kind of a word: `job`, `jobs` and `CronJob`. */
export function kindCalled(text: string): Kind | undefined {
  const [kind, second] = kindsCalled(text);
  return second ? undefined : kind;
}

/** Advice on a text that is not a kind. @param known the names to choose from, in the wanted spelling */
export function kindAdvice(text: string, known: readonly string[] = kindNames): string {
  const meant = new Set(kindsCalled(text).map(({ slug }) => slug));
  const names = known.filter((name) => meant.has(name.toLowerCase()));
  const near = nearest(text, known);
  if (names.length > 0 && (near === undefined || !names.includes(near))) return `use ${names.join(" or ")}`;
  return near === undefined ? `the kinds are ${known.join(", ")}` : `did you mean ${near}?`;
}

export const kindFormat: Format = ruled(
  (text) => (findKind(text) ? undefined : { message: "is not a kind", advice: kindAdvice(text) }),
  { enum: [...kindNames] },
);
