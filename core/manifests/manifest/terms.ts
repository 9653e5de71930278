import { own } from "../../values/json.ts";
import { holdsServices, type Kind, kinds, kindsPrunedIn, referenceForm } from "../../model/kinds/index.ts";
import { fieldPaths, mayBeSecret } from "../../model/schema/field-schema.ts";
import type { MistakeTerms } from "../../model/schema/terms.ts";
import type { Path } from "../../source/mistake.ts";
import { article } from "../../values/text.ts";
import { formatsFor } from "./formats.ts";
import { yamlNotation } from "../../model/schema/yaml-notation.ts";

/** Words of other tools, each with the fields that may be meant; those of the kind that has them are named. */
const meant: Readonly<Record<string, readonly string[]>> = {
  args: ["arguments"],
  command: ["entrypoint", "arguments"],
  cron: ["schedule.cronjob.scheduled_at"],
  depends_on: ["deployment_stage"],
  domains: ["custom_domains"],
  env: ["variables"],
  environment_variables: ["variables"],
  image: ["image_name", "tag"],
  labels: ["labels_groups"],
  replicas: ["min_running_instances", "max_running_instances"],
  secret: ["secrets"],
  resources: ["cpu", "memory"],
  timeout: ["max_duration_seconds", "timeout_sec"],
  volumes: ["storage"],
};

/** Members of documents of Kubernetes. */
const ofKubernetes = new Set(["apiversion", "metadata", "spec", "namespace"]);

/**
 * Advice on a member that a kind has elsewhere, or that users know from another tool; undefined for other members.
 *
 * @param spelled a name or a path as the author of the document writes it
 */
export function adviceOnField(
  kind: Kind,
  member: string,
  spelled = (path: string) => path,
): string | undefined {
  const paths = fieldPaths(kind.fields);
  return suggestedMember(member, paths, spelled) ?? elsewhere(member, paths, spelled);
}

function suggestedMember(
  member: string,
  paths: readonly string[],
  spelled: (path: string) => string,
): string | undefined {
  const key = member.toLowerCase().replaceAll("-", "_");
  if (ofKubernetes.has(key))
    return "leave it out: a document has its kind, its parent, its name and its fields side by side, at the top";
  const words = Object.hasOwn(meant, key) ? (meant[key] ?? []) : [];
  const found = words.flatMap((word) => {
    const parents = paths
      .filter((path) => path.endsWith(`.${word}`))
      .map((path) => path.slice(0, -word.length - 1));
    return paths.includes(word)
      ? [{ word, place: "" }]
      : parents.length === 0
        ? []
        : [{ word, place: listed(parents.map(spelled)) }];
  });
  const byPlace = Map.groupBy(found, ({ place }) => place);
  const phrases = [...byPlace].map(([place, members]) => {
    const names = listed(members.map(({ word }) => spelled(word)));
    return place === "" ? names : `${names} in ${place}`;
  });
  return phrases.length === 0 ? undefined : `here that is ${listed(phrases)}`;
}

/** `a, b or c`. */
function listed(parts: readonly string[]): string {
  const [last = "", ...others] = parts.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
}

/** The words for mistakes in a manifest of a kind. */
export function termsOf(kind: Kind): MistakeTerms {
  return {
    subject: `${article(kind.name)} ${kind.name}`,
    member: "field",
    notation: yamlNotation,
    formats: formatsFor(kind),
    unknownMember(path, member, near) {
      const known = specialAdvice(kind, path, member) ?? adviceOnField(kind, member);
      if (known !== undefined) return known;
      const remark = path.length === 0 ? foreign(kind, member) : undefined;
      if (remark === undefined) return undefined;
      return near === undefined ? `leave it out: ${remark}` : `did you mean ${near}? (${remark})`;
    },
    missingMember: (path, member) =>
      path.length === 0 && member === kind.parentMember && kind.parent
        ? `add ${member}: ${referenceForm(kind.parent)}`
        : undefined,
  };
}

function specialAdvice(kind: Kind, path: Path, member: string): string | undefined {
  if (member.includes("${")) return "write the field itself: variables are filled in in values only";
  if (member === "<<") return "YAML 1.2 has no merge keys; write the fields out";
  if (path[0] === "manage" && member === "prune") {
    const parents = kinds.filter((each) => holdsServices(each) || kindsPrunedIn(each).length > 0);
    return `leave it out: only documents of ${parents.map(({ name }) => name).join(", ")} say what is pruned in them`;
  }
  const top = own(kind.fields.properties ?? {}, String(path[0]));
  if (member === "value" && top && mayBeSecret(top))
    return "name the source of the value, such as from_env: a secret in plain text does not belong in a manifest";
  if (path.length > 0) return undefined;
  if (member === "clone") return `leave it out: ${article(kind.name)} ${kind.name} cannot be cloned`;
  if (kind.parent && kinds.some((other) => other.parentMember === member)) {
    return `name the parent with ${kind.parentMember}: ${referenceForm(kind.parent)}`;
  }
  return undefined;
}

/** The right place of a misplaced member. */
function elsewhere(
  member: string,
  paths: readonly string[],
  spelled: (path: string) => string,
): string | undefined {
  const places = paths.filter((place) => place === member || place.endsWith(`.${member}`)).map(spelled);
  if (places.length === 0) return undefined;
  return `it belongs at ${places.length === 1 ? "" : "one of "}${places.join(", ")}`;
}

/** A remark on a member that belongs to other kinds, or that the API only reports. */
function foreign(kind: Kind, member: string): string | undefined {
  if (own(kind.reports, member)) return `the API reports ${member}, and it cannot be set`;
  const others = kinds.filter((other) => own(other.fields.properties ?? {}, member)).map(({ name }) => name);
  const noun = others.length === 1 ? "kind" : "kinds";
  return others.length === 0 ? undefined : `${member} is a field of the ${noun} ${others.join(", ")}`;
}
