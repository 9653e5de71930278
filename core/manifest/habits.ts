/** Words of other tools, each with the fields that may be meant; those of the kind that has them are named. */
const meant: Readonly<Record<string, readonly string[]>> = {
  args: ["arguments"],
  backofflimit: ["max_nb_restart"],
  build: ["git_repository"],
  command: ["entrypoint", "arguments"],
  cmd: ["entrypoint", "arguments"],
  config: ["variables"],
  configmap: ["variables"],
  container_port: ["ports.internal_port", "port"],
  containers: ["source.image", "image_name"],
  cron: ["schedule.cronjob.scheduled_at"],
  crontab: ["schedule.cronjob.scheduled_at"],
  depends_on: ["deployment_stage"],
  dependson: ["deployment_stage"],
  disk: ["storage"],
  domain: ["custom_domains"],
  domains: ["custom_domains"],
  env: ["variables"],
  env_file: ["variables"],
  env_vars: ["variables"],
  environment_variables: ["variables"],
  engine: ["type"],
  expose: ["ports"],
  host: ["custom_domains"],
  hostname: ["custom_domains"],
  ingress: ["custom_domains"],
  instances: ["min_running_instances", "max_running_instances"],
  labels: ["labels_groups"],
  annotations: ["annotations_groups"],
  limits: ["cpu", "memory"],
  liveness_probe: ["healthchecks.liveness_probe"],
  livenessprobe: ["healthchecks.liveness_probe"],
  max_replicas: ["max_running_instances"],
  mem: ["memory"],
  min_replicas: ["min_running_instances"],
  mount: ["storage"],
  mounts: ["storage"],
  ram: ["memory"],
  readiness_probe: ["healthchecks.readiness_probe"],
  readinessprobe: ["healthchecks.readiness_probe"],
  replicas: ["min_running_instances", "max_running_instances"],
  repo: ["git_repository"],
  requests: ["cpu", "memory"],
  resources: ["cpu", "memory"],
  restart: ["max_nb_restart"],
  retries: ["max_nb_restart"],
  scaling: ["min_running_instances", "max_running_instances"],
  secret: ["secrets"],
  settings: ["advanced_settings"],
  stage: ["deployment_stage"],
  timeout: ["max_duration_seconds", "timeout_sec"],
  timeout_seconds: ["max_duration_seconds", "timeout_sec"],
  vars: ["variables"],
  volume: ["storage"],
  volumes: ["storage"],
};

/** Members of documents of Kubernetes. */
const ofKubernetes = new Set(["apiversion", "metadata", "spec", "namespace"]);

/**
 * What does here what a member of a document of another tool does; undefined where nothing is known.
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
