/** Words of other tools, each with the fields that may be meant; those of the kind that has them are named. */
const meant: Readonly<Record<string, readonly string[]>> = {
  args: ["arguments"],
  command: ["entrypoint", "arguments"],
  cron: ["schedule.cronjob.scheduled_at"],
  depends_on: ["deployment_stage"],
  domains: ["custom_domains"],
  env: ["variables"],
  environment_variables: ["variables"],
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
 * The infrasync field for a member that users know from another tool; undefined for other members.
 *
 * @param paths the paths of all fields of the kind
 */
export function memberHabit(member: string, paths: readonly string[]): string | undefined {
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
        : [{ word, place: listed(parents) }];
  });
  const byPlace = Map.groupBy(found, ({ place }) => place);
  const phrases = [...byPlace].map(([place, members]) => {
    const names = listed(members.map(({ word }) => word));
    return place === "" ? names : `${names} in ${place}`;
  });
  return phrases.length === 0 ? undefined : `here that is ${listed(phrases)}`;
}

/** `a, b or c`. */
function listed(parts: readonly string[]): string {
  const [last = "", ...others] = parts.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
}
