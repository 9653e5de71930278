/** A metric of the service. This table alone defines series and their documentation. */
interface MetricRow {
  type: "gauge" | "counter" | "histogram";
  help: string;
  /** Beside `source` and `team`, which the metrics of a source have if a service has many. */
  labels: readonly string[];
  of: "source" | "service";
}

const rowOf =
  (type: MetricRow["type"], of: MetricRow["of"] = "source") =>
  <const Labels extends readonly string[]>(help: string, ...labels: Labels) => ({ type, of, help, labels });
const [gauge, counter, histogram] = [rowOf("gauge"), rowOf("counter"), rowOf("histogram")];
const gaugeOfService = rowOf("gauge", "service");

export const metricTable = {
  infrasync_source_state: gauge(
    "1 for the present state of the source: `down`, `unknown`, `stopped`, or the state of its worst environment. Its worker reports the state; without a worker, all others do.",
    "state",
  ),
  infrasync_source_in_doubt: gauge(
    "1 while the states may be out of date: the source does not run, a cycle has failed, the API, the repository or the database of the workers does not answer, or the state is stale.",
  ),
  infrasync_source_checked_timestamp_seconds: gauge(
    "When live resources were compared with the commit for the last time; absent: never.",
  ),
  infrasync_source_stale_timestamp_seconds: gauge("When the state becomes out of date."),
  infrasync_environment_state: gauge(
    "1 for the state of the environment when it was compared last. An environment is one series.",
    "environment",
    "state",
  ),
  infrasync_project_state: gauge(
    "The same for resources of a project outside its environments, and of the organization outside its projects.",
    "project",
    "state",
  ),
  infrasync_environment_knowledge_age_seconds: gauge(
    "Age of the oldest fact about an environment or a project; absent: it has not been read yet.",
    "environment",
  ),
  infrasync_environment_unmanaged: gauge(
    "Number of unmanaged resources in an environment: services, stages, variables, secrets; of a project, environments. Absent: it has not been read yet.",
    "environment",
  ),
  infrasync_services: gauge("Deployed managed services, by their health.", "health"),
  infrasync_previews: gauge("Previews of pull requests, by their state.", "state"),
  infrasync_newest_commit_not_applied: gauge(
    "1 while the newest commit has mistakes, so that the last one without mistakes stays applied.",
  ),
  infrasync_failed_cycles: gauge("Cycles that have failed in a row."),
  infrasync_cycles_total: counter("Cycles that have ended, by result: `done` or `failed`.", "result"),
  infrasync_cycle_duration_seconds: histogram("Duration of cycles, with applying."),
  infrasync_api_requests_total: counter("Requests that were sent to the API."),
  infrasync_notifications_waiting: gauge(
    "Notifications that have not arrived yet. Those of the service as a whole have no source.",
  ),
  infrasync_notifications_total: counter(
    "Notifications that have arrived (`delivered`), tries that have failed (`failed`), and notifications that were dropped (`lost`).",
    "result",
  ),
  infrasync_api_quota_limit: gaugeOfService(
    "Requests that a token has in an hour. `token` is the beginning of its digest.",
    "token",
  ),
  infrasync_api_quota_remaining: gaugeOfService(
    "Requests that a token has left, as last reported by the API.",
    "token",
  ),
  infrasync_fleet_sources: gaugeOfService(
    "All sources of all workers by their state, as this worker knows it.",
    "state",
  ),
  infrasync_database_up: gaugeOfService(
    "1 while this worker can use the database that the workers share, otherwise 0; absent: there is none.",
  ),
  infrasync_database_answer_seconds: gaugeOfService(
    "Longest recent response time of the database that the workers share. Timeouts of the workers grow with it.",
  ),
  infrasync_build_info: gaugeOfService(
    "1, with the version of infrasync and the commit that it was built from.",
    "version",
  ),
} satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof metricTable;

/** The labels of a metric beside those of its source. */
export type LabelsOf<Name extends MetricName> = (typeof metricTable)[Name] extends {
  labels: readonly (infer Label extends string)[];
}
  ? Label
  : never;

export function metricRow(name: MetricName): MetricRow {
  return metricTable[name];
}
