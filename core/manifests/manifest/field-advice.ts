import { inSentence } from "../../values/text.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { fieldPaths } from "../../model/schema/field-schema.ts";

/** Words of other tools, each with the probable fields; only those of the kind are named. */
const meant: Readonly<Record<string, readonly string[]>> = {
  args: ["arguments"],
  command: ["entrypoint", "arguments"],
  cron: ["schedule.cronjob.scheduled_at"],
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

const ofKubernetes = new Set(["apiversion", "metadata", "spec", "namespace"]);

/** Advice on a member that a kind has elsewhere, or that users know from another tool. */
export function adviceOnField(
  kind: Kind,
  member: string,
  spelled = (path: string) => path,
): string | undefined {
  const paths = fieldPaths(kind.fields);
  const suggested = suggestedMember(member, paths, spelled);
  const places = paths.filter((place) => place === member || place.endsWith(`.${member}`)).map(spelled);
  if (suggested !== undefined || places.length === 0) return suggested;
  return `it belongs at ${places.length === 1 ? "" : "one of "}${places.join(", ")}`;
}

function suggestedMember(
  member: string,
  paths: readonly string[],
  spelled: (path: string) => string,
): string | undefined {
  const key = member.toLowerCase().replaceAll("-", "_");
  if (key === "depends_on")
    return "leave it out: infrasync creates a resource first if a variable refers to it, as in variables: { DB_HOST: { from: database:db, output: host_internal } }; deployment_stage orders the rest";
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
        : [{ word, place: inSentence(parents.map(spelled), "or") }];
  });
  const byPlace = Map.groupBy(found, ({ place }) => place);
  const phrases = [...byPlace].map(([place, members]) => {
    const names = inSentence(
      members.map(({ word }) => spelled(word)),
      "or",
    );
    return place === "" ? names : `${names} in ${place}`;
  });
  return phrases.length === 0 ? undefined : `use ${inSentence(phrases, "or")}`;
}
