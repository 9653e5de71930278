import type { StandingState } from "../../decide/index.ts";
import type { MetricName } from "./table.ts";

/** An alarm: its condition, meaning and remedy. */
export interface Alarm {
  name: string;
  when: string;
  lasting: string;
  severity: "critical" | "warning";
  means: string;
  helps: string;
}

function series(name: MetricName, selector = ""): string {
  return selector === "" ? name : `${name}{${selector}}`;
}

/** The alarm of each temporary state of an environment. */
const stateAlarms: Record<
  Exclude<StandingState, "synced" | "unwatched">,
  Pick<Alarm, "lasting" | "means" | "helps">
> = {
  failed: {
    lasting: "15m",
    means: "changes could not be made, and the next tries have not mended that",
    helps: "the page and the log say which, and why",
  },
  blocked: {
    lasting: "5m",
    means: "an approval is missing, or the server lacks something that a document names",
    helps: "the page says what to paste, or what to allow",
  },
  held: {
    lasting: "5m",
    means: "the branch was rewritten, and the plan deletes",
    helps: "push a commit that follows the applied one, or apply it manually",
  },
  unhealthy: {
    lasting: "1m",
    means: "a deployment has failed, or takes longer than `wait_timeout`",
    helps: "the page names the service and shows the last lines of its log",
  },
  drift_loop: {
    lasting: "5m",
    means: "somebody else sets the same fields again and again",
    helps: "name them in `manage: { ignore: [FIELD] }`, or stop the other side",
  },
  drift: {
    lasting: "1h",
    means: "live resources differ from the commit, and nobody has decided what to do",
    helps: "take the difference into git, or push, or start with `--on-drift apply`",
  },
  waiting: {
    lasting: "1d",
    means: "the policy, a suspension, a window or the quota lets the commit wait",
    helps: "the page says which, and until when",
  },
  rolled_back: {
    lasting: "1d",
    means: "a person or the policy has put an earlier commit in force",
    helps: "push a commit that mends it, or `infrasync reconcile follow`",
  },
  deploying: {
    lasting: "1h",
    means: "the server is still deploying the commit",
    helps: "`infrasync status ENVIRONMENT`",
  },
  unread: {
    lasting: "15m",
    means: "the service has not read the environment since its start",
    helps: "the log; if the quota is short, a higher share of drift checks in `budget_share`",
  },
};

const urgent: ReadonlySet<string> = new Set(["failed", "unhealthy"]);

function stateAlarm(state: string, text: Pick<Alarm, "lasting" | "means" | "helps">): Alarm {
  return {
    name: `InfrasyncEnvironment${camel(state)}`,
    when: `${lasting("infrasync_environment_state", "environment", state)} == 1 or ${lasting("infrasync_project_state", "project", state)} == 1`,
    severity: urgent.has(state) ? "critical" : "warning",
    ...text,
  };
}

/** A state by any worker in the last minutes: another worker, or a gap, would restart the duration of an alarm. */
function lasting(name: MetricName, label: "environment" | "project", state: string): string {
  return `max by (source, team, ${label}, state) (max_over_time(${series(name, `state="${state}"`)}[5m]))`;
}

function ofSource(name: MetricName): string {
  return `max by (source, team) (${series(name)})`;
}

function camel(state: string): string {
  return state.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** All alarms, the most urgent first. */
export const alarms: readonly Alarm[] = [
  {
    name: "InfrasyncDatabaseAway",
    when: `${series("infrasync_database_up")} == 0`,
    lasting: "1m",
    severity: "critical",
    means: "a worker cannot use the database, and sends nothing",
    helps: "bring the database back; nothing else is to do",
  },
  {
    name: "InfrasyncDatabaseSlow",
    when: `${series("infrasync_database_answer_seconds")} > 1`,
    lasting: "5m",
    severity: "warning",
    means: "the database takes more than a second for an answer, so commits are applied late, or not at all",
    helps: "give the database more resources, or bring it nearer to the workers",
  },
  {
    name: "InfrasyncNoWorker",
    when: `absent(${series("infrasync_source_state")})`,
    lasting: "10m",
    severity: "critical",
    means: "no worker reports a source: none runs, or Prometheus reaches none",
    helps: "see whether a worker runs, and what its log says",
  },
  {
    name: "InfrasyncSourceInDoubt",
    when: `${ofSource("infrasync_source_in_doubt")} == 1`,
    lasting: "15m",
    severity: "critical",
    means:
      "nobody knows how this source stands: it does not run, or its repository or the API cannot be reached",
    helps: "the page says why",
  },
  {
    name: "InfrasyncSourceStale",
    when: `time() > ${ofSource("infrasync_source_stale_timestamp_seconds")}`,
    lasting: "5m",
    severity: "critical",
    means: "live resources were not compared for longer than they should be",
    helps: "the reason is at the top of the page, and in the log: the repository, the API, the quota",
  },
  {
    name: "InfrasyncCyclesFail",
    when: `${ofSource("infrasync_failed_cycles")} > 2`,
    lasting: "1m",
    severity: "warning",
    means: "three or more cycles in a row have failed, so live resources are not compared",
    helps: "the reason is at the top of the page, and in the log: the repository, the API, the quota",
  },
  ...Object.entries(stateAlarms).map(([state, text]) => stateAlarm(state, text)),
  {
    name: "InfrasyncNewestCommitNotApplied",
    when: `${ofSource("infrasync_newest_commit_not_applied")} == 1`,
    lasting: "1m",
    severity: "warning",
    means: "the newest commit has mistakes, so the last one without mistakes stays applied",
    helps: "the page lists the mistakes; push a commit without them",
  },
  {
    name: "InfrasyncSourceStopped",
    when: `max by (source, team) (${series("infrasync_source_state", 'state="stopped"')}) == 1`,
    lasting: "1m",
    severity: "warning",
    means: "no document declares this source any more; what it has left is live",
    helps: "acknowledge it on the page of all sources, or declare it again",
  },
  {
    name: "InfrasyncQuotaLow",
    when: `min by (token) (${series("infrasync_api_quota_remaining")} / ${series("infrasync_api_quota_limit")}) < 0.05`,
    lasting: "15m",
    severity: "warning",
    means: "a token is nearly used up, perhaps by others",
    helps: "give the service a token of its own; lower `budget_share`",
  },
  {
    name: "InfrasyncNotificationsWait",
    when: `${ofSource("infrasync_notifications_waiting")} > 0`,
    lasting: "15m",
    severity: "warning",
    means: "a receiver of notifications takes none",
    helps: "the log says what it answers; the messages wait until it takes them",
  },
  {
    name: "InfrasyncNotificationsLost",
    when: `sum by (source, team) (increase(${series("infrasync_notifications_total", 'result="lost"')}[15m])) > 0`,
    lasting: "0m",
    severity: "warning",
    means: "a receiver has refused a message for good, or too many waited",
    helps: "the log says why; the page has the events that were not sent",
  },
];

/** The dashboard, from the top. */
export const panels: readonly {
  title: string;
  type: "stat" | "timeseries" | "table";
  query: string;
  legend?: string;
}[] = [
  {
    title: "Environments by state",
    type: "timeseries",
    query: `count by (state) (${series("infrasync_environment_state")})`,
    legend: "{{state}}",
  },
  {
    title: "Sources by state",
    type: "timeseries",
    query: `max by (state) (${series("infrasync_fleet_sources")})`,
    legend: "{{state}}",
  },
  {
    title: "Not synced",
    type: "table",
    query: `${series("infrasync_environment_state", 'state!="synced"')} == 1`,
  },
  {
    title: "In doubt",
    type: "stat",
    query: `sum(max by (source) (${series("infrasync_source_in_doubt")}))`,
  },
  { title: "Database", type: "stat", query: `min(${series("infrasync_database_up")})` },
  {
    title: "Services by health",
    type: "timeseries",
    query: `sum by (health) (${series("infrasync_services")})`,
    legend: "{{health}}",
  },
  {
    title: "Quota left",
    type: "timeseries",
    query: `min by (token) (${series("infrasync_api_quota_remaining")})`,
    legend: "{{token}}",
  },
  {
    title: "Requests an hour",
    type: "timeseries",
    query: `sum by (source) (increase(${series("infrasync_api_requests_total")}[1h]))`,
    legend: "{{source}}",
  },
  {
    title: "Cycles that failed, an hour",
    type: "timeseries",
    query: `sum by (source) (increase(${series("infrasync_cycles_total", 'result="failed"')}[1h]))`,
    legend: "{{source}}",
  },
  {
    title: "Unmanaged",
    type: "table",
    query: `${series("infrasync_environment_undescribed")} > 0`,
  },
  {
    title: "Notifications that wait",
    type: "timeseries",
    query: `sum by (source) (${series("infrasync_notifications_waiting")})`,
    legend: "{{source}}",
  },
];
