/** A metric of the service. This table alone defines series, documentation, alarms and the dashboard. */
interface MetricRow {
  type: "gauge" | "counter" | "histogram";
  help: string;
  /** Beside `source` and `team`, which the metrics of a source have if a service has many. */
  labels?: readonly string[];
  of: "source" | "service";
}

export const metricTable = {
  infrasync_source_state: {
    type: "gauge",
    of: "source",
    labels: ["state"],
    help: "1 for the present state of the source: that it does not run (`down`), that nobody knows (`unknown`), `stopped`, or that of its worst environment. The worker of the source reports it; a source that has none, all workers.",
  },
  infrasync_source_in_doubt: {
    type: "gauge",
    of: "source",
    help: "1 while nobody knows whether the states still hold: the source does not run, a cycle has failed, the API, the repository or the database of the workers does not answer, or the state is stale.",
  },
  infrasync_source_checked_timestamp_seconds: {
    type: "gauge",
    of: "source",
    help: "When live resources were compared with the commit for the last time; absent: never.",
  },
  infrasync_source_stale_timestamp_seconds: {
    type: "gauge",
    of: "source",
    help: "From when on the state is older than it should be.",
  },
  infrasync_environment_state: {
    type: "gauge",
    of: "source",
    labels: ["environment", "state"],
    help: "1 for the state of the environment when it was compared last. An environment is one series.",
  },
  infrasync_project_state: {
    type: "gauge",
    of: "source",
    labels: ["project", "state"],
    help: "The same for what belongs to a project and to none of its environments, and to the organization and none of its projects.",
  },
  infrasync_environment_knowledge_age_seconds: {
    type: "gauge",
    of: "source",
    labels: ["environment"],
    help: "How old the oldest thing is that is known of an environment or a project; absent: it has not been read yet.",
  },
  infrasync_environment_undescribed: {
    type: "gauge",
    of: "source",
    labels: ["environment"],
    help: "How much is unmanaged in an environment: services, stages, variables, secrets; of a project, environments. Absent: it has not been read yet.",
  },
  infrasync_services: {
    type: "gauge",
    of: "source",
    labels: ["health"],
    help: "Managed services that were deployed, by how they fare after that.",
  },
  infrasync_previews: {
    type: "gauge",
    of: "source",
    labels: ["state"],
    help: "Previews of pull requests, by their state.",
  },
  infrasync_newest_commit_not_applied: {
    type: "gauge",
    of: "source",
    help: "1 while the newest commit has mistakes, so that the last one without mistakes stays applied.",
  },
  infrasync_failed_cycles: { type: "gauge", of: "source", help: "Cycles that have failed in a row." },
  infrasync_cycles_total: {
    type: "counter",
    of: "source",
    labels: ["result"],
    help: "Cycles that have ended, by result: `done` or `failed`.",
  },
  infrasync_cycle_duration_seconds: {
    type: "histogram",
    of: "source",
    help: "How long cycles took, applying included.",
  },
  infrasync_api_requests_total: {
    type: "counter",
    of: "source",
    help: "Requests that were sent to the API.",
  },
  infrasync_notifications_waiting: {
    type: "gauge",
    of: "source",
    help: "Notifications that have not arrived yet. Those of the service as a whole have no source.",
  },
  infrasync_notifications_total: {
    type: "counter",
    of: "source",
    labels: ["result"],
    help: "Notifications that have arrived (`delivered`), tries that have failed (`failed`), and notifications that nobody gets (`lost`).",
  },
  infrasync_api_quota_limit: {
    type: "gauge",
    of: "service",
    labels: ["token"],
    help: "Requests that a token has in an hour. `token` is the beginning of its digest.",
  },
  infrasync_api_quota_remaining: {
    type: "gauge",
    of: "service",
    labels: ["token"],
    help: "Requests that a token has left, as the API said last.",
  },
  infrasync_fleet_sources: {
    type: "gauge",
    of: "service",
    labels: ["state"],
    help: "All sources of all workers by their state, as this worker knows it.",
  },
  infrasync_database_up: {
    type: "gauge",
    of: "service",
    help: "1 while this worker can use the database that the workers share, otherwise 0; absent: there is none.",
  },
  infrasync_database_answer_seconds: {
    type: "gauge",
    of: "service",
    help: "How long the database that the workers share takes for an answer: the longest one of late. The limits of the workers grow with it.",
  },
  infrasync_build_info: {
    type: "gauge",
    of: "service",
    labels: ["version"],
    help: "1, with the version of infrasync and the commit that it was built from.",
  },
} as const satisfies Record<string, MetricRow>;

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
