import Type from "typebox";
import {
  choice,
  count,
  form,
  heading,
  list,
  listOf,
  optional,
  part,
  printed,
  text,
} from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { serviceMembers, unreadForm } from "../../core/outputs/forms/index.ts";
import { healthStates } from "../../core/deployments/index.ts";
import { previewStates } from "../previews/index.ts";
import { changeForm, syncStates } from "../decide/index.ts";

/** Why the last known state may be outdated. */
export const doubts = ["failed", "unanswered", "unread", "stale", "database"] as const;

/** The state of a source, the worst first: that it does not run, that nobody knows, or its worst environment. */
export const sourceStates = ["down", "unknown", "stopped", ...syncStates] as const;

export type SourceState = (typeof sourceStates)[number];

const time = (description: string) => Type.String({ format: "date-time", description });

const reasonSince = (description: string) =>
  part(description, { reason: text("Why."), since: time("Since when.") });

const spending = (description: string) =>
  part(description, {
    spent: count("Requests that were spent."),
    allowed: count("Requests that may be spent."),
  });

const identityForm = form("The person who requested it.", {
  id: text("The unique identity, for comparisons."),
  name: text("For people."),
});

const sourceForm = form("The repository with which live resources are synced.", {
  name: optional(text("The name of the source, if the service has many.")),
  team: optional(text("The team that owns the source.")),
  repository: text("URL, without credentials."),
  branch: text("The branch."),
  path: text("The folder; empty: the whole repository."),
});

const commitForm = form(
  "The commit of the state: the newest commit if it waits or has failed, otherwise the applied commit.",
  {
    id: text("Id."),
    subject: optional(text("The first line of its message.")),
    author: optional(text("The name of its author.")),
    at: optional(time("When it was made.")),
    url: optional(text("Page on the Git host.")),
  },
);

/** What an overview shows of an environment. */
const environmentMembers = {
  name: text("`PROJECT/ENVIRONMENT`, or a project without its contents."),
  state: choice(syncStates, "State, compared with the commit."),
  since: time("Since when."),
  reason: optional(text("The reason why the commit waits.")),
  commit: optional(commitForm),
  console_url: optional(text("Page in the console.")),
};

const environmentForm = form({
  ...environmentMembers,
  applied: optional(text("Id of the commit that is applied there.")),
  until: optional(time("Until when it waits.")),
  plan: optional(
    text(
      "Digest of the differences and losses: an approval names it; absent: nothing differs, or an approval has no effect.",
    ),
  ),
  requested: part("A request of a person that still waits.", {
    type: choice(["sync", "approve"], "Description."),
    by: identityForm,
  }),
  rolled_back: part(
    "Present while an earlier commit is in force there, at the request of a person, or by the policy.",
    { commit: text("The commit."), by: identityForm, at: time("When that was requested.") },
  ),
  suspended: optional(
    listOf(
      "Pauses, which people requested, and its suspensions by the policy; the last to end comes first.",
      {
        until: optional(time("Until when; absent: until the service can read the requests of people.")),
        reason: text("Why."),
        by: optional(identityForm),
        environments: optional(text("The environments of a pause, as `resume` names them.")),
      },
    ),
  ),
  known_since: optional(
    time("When the oldest known fact about it was read; absent: it has not been read yet."),
  ),
  stale: Type.Boolean({ description: "Whether its last read is older than it should be." }),
  stale_at: optional(time("When its last read becomes older than it should be.")),
  reasons: list(Type.String(), "Why it is not synced, with what would help."),
  changes: list(changeForm, "The differences."),
  unmanaged: optional(
    list(
      Type.String(),
      "Live resources and parts there that no document declares: `job:shop/staging/b`, `variable LEVEL of job:shop/staging/a`; absent: not read yet.",
    ),
  ),
  unread: optional(
    list(unreadForm, "Unread parts of managed resources, in which undeclared values may be set."),
  ),
  drift_loops: optional(
    listOf("Fields in a drift loop, so that writing them waits.", {
      address: text("Address of the resource."),
      fields: list(Type.String(), "The fields."),
      until: time("When they are written again."),
    }),
  ),
  reverted: part("The last drift that the service has reverted.", {
    at: time("When."),
    changes: list(changeForm, "The reverted changes: `cpu 500 -> 1000`, and by whom."),
  }),
  services: listOf("The live services, the worst first.", {
    ...serviceMembers,
    id: optional(serviceMembers.id),
    health: optional(
      choice(healthStates, "Health after its last deployment; absent: it is unmanaged, or not deployed."),
    ),
    lines: optional(list(Type.String(), "Last log lines in a deployment that has failed.")),
    console_url: optional(text("Page in the console.")),
  }),
});

const previewForm = form({
  name: text("The environment: `shop/pr-7`."),
  pull_request: form({
    number: count("Number."),
    title: optional(text("Title, while it is open.")),
    url: optional(text("Page, while it is open.")),
  }),
  commit: optional(text("Id of its newest commit.")),
  state: choice(previewStates, "The state of the preview."),
  since: time("Since when."),
  reason: optional(text("Why it is not ready.")),
});

const budgetForm = form({
  limit: optional(count("Requests that the token has in a window.")),
  remaining: optional(count("Requests that are left.")),
  reset_at: optional(time("When the next window begins.")),
  spent_in_hour: count("Requests that the service has sent in the last hour."),
  forecast: optional(count("Estimate of the requests that will be left at the reset.")),
  checking: spending("Requests for reading live resources, of their share of this window."),
  applying: spending("Requests for changes, of their share of this window."),
  interval_seconds: optional(count("Seconds between two reads of the events of the organization.")),
  period_seconds: optional(count("Everything is read again within this many seconds, even without events.")),
});

/** The content of `GET /status.json` and `infrasync reconcile status --output json`. */
export const serviceStatusForm = form("The status of a service that syncs the API with a repository.", {
  ...heading("infrasync-reconcile-status", printed),
  now: time("The time of the service."),
  source: sourceForm,
  commit: optional(text("Id of the newest commit.")),
  contains: part("Present in the answer to `?contains=COMMIT`: the environments of that commit.", {
    commit: text("The commit that was asked about."),
    newest: Type.Boolean({ description: "Whether the newest commit is that one, or comes after it." }),
    applied_in: list(Type.String(), "The environments whose applied commit is that one, or comes after it."),
  }),
  not_applied: optional(
    Type.Literal(true, {
      description:
        "Present while the newest commit has mistakes: the last one without mistakes stays applied.",
    }),
  ),
  checked_at: optional(time("When live resources were last compared with it.")),
  stale: Type.Boolean({ description: "Whether this state is out of date." }),
  stale_at: time("When this state becomes out of date."),
  activity: form("The activity of the service.", {
    type: choice(
      ["starting", "checking", "applying", "waiting", "idle"],
      "The current activity of the service.",
    ),
    since: time("Since when."),
    until: optional(time("Until when it waits.")),
    changes: optional(count("Of `applying`: how many changes it makes.")),
    reason: optional(
      choice(
        ["quota", "limited", "retry", "answer", "clone", "lists"],
        "Of `waiting`: for the quota, while the API takes no requests (429), for the next try, for an answer, or for a clone that another run has requested.",
      ),
    ),
  }),
  in_doubt: part("Present while `synced` and the states of the environments may be out of date.", {
    because: choice(
      doubts,
      "The last cycle has failed, the API does not answer, the repository cannot be read, or live resources were not compared for too long.",
    ),
    since: time("Since when."),
    reason: optional(text("Why the repository cannot be read.")),
  }),
  synced: count("How many environments were synced when they were compared (`checked_at`)."),
  environments: list(environmentForm, "All environments, the worst first, as they were then."),
  previews: optional(list(previewForm, "The previews of pull requests, the worst first.")),
  preview_failure: reasonSince("Present while pull requests cannot be read: previews are not updated."),
  clock_ahead_seconds: optional(
    Type.Integer({
      description:
        "Seconds by which the clock of this machine is ahead of that of the server; present while that is more than a minute: windows, pauses and limits go by the server.",
    }),
  ),
  problems: list(Type.String(), "Mistakes of the whole commit."),
  notes: optional(list(Type.String(), "Statements of files that restrict nothing.")),
  failure: part("Present while cycles fail.", {
    code: text("Why the last cycle has failed, such as `rate_limited`."),
    reason: text("Why the last cycle has failed."),
    since: time("When the first of them failed."),
    failures: count("How many have failed in a row."),
  }),
  budget: budgetForm,
});

/** The state of a service for programs. Times are ISO 8601. */
export type ServiceStatus = StoredForm<typeof serviceStatusForm>;

export type PreviewStatus = StoredForm<typeof previewForm>;

/** The state of an environment, for all outputs. */
export type EnvironmentStatus = StoredForm<typeof environmentForm>;

/** The synced repository, and the name and the team of the source if a service has many. */
export type WatchedSource = StoredForm<typeof sourceForm>;

export const fleetSourceForm = form({
  name: text("Name of the source: its status is at `/sources/NAME/status.json`."),
  team: optional(text("The team that owns the source.")),
  repository: text("URL of its repository."),
  state: choice(
    sourceStates,
    "`down`: the source does not run; `unknown`: its last known state may be outdated; `stopped`: no document declares it any more; otherwise the state of its worst environment.",
  ),
  synced: count("How many environments were synced when they were compared."),
  environments: listOf("Environments, and the projects without their contents, the worst first.", {
    ...environmentMembers,
    reason: optional(text("The first reason why it is not synced.")),
    services: list(Type.String(), "The names of its live services."),
  }),
  checked_at: optional(time("When live resources were last compared with the commit.")),
  in_doubt: part("Present while the state may be outdated.", {
    because: choice(doubts, "Why."),
    since: time("Since when."),
  }),
  failure: reasonSince("Present while the source does not run."),
  worker: part("The worker of the source, if another worker answers.", {
    name: text("The beginning of its id in the database."),
    host: text("Machine."),
    seen_at: time("When it last reported."),
  }),
  stopped: part("Present while no document declares it any more, and this is not yet acknowledged.", {
    since: time("Since when."),
    left: optional(
      list(Type.String(), "Addresses of its live resources; absent: nobody can read its memory."),
    ),
  }),
  ending: optional(
    Type.Boolean({
      description: "True while it finishes its cycle, because no document declares it any more.",
    }),
  ),
});

/** The content of `GET /status.json` and `infrasync reconcile status --output json` for many sources. */
export const fleetStatusForm = form("The status of a service with many sources.", {
  ...heading("infrasync-fleet-status", printed),
  now: time("The time of the service."),
  synced: count("How many sources are synced."),
  sources: list(fleetSourceForm, "All sources that the reader may see, the worst first."),
  problems: list(Type.String(), "Mistakes in the documents of the sources."),
  notes: optional(list(Type.String(), "The rules of the operator that restrict nothing in any source.")),
  unread: reasonSince("Present while the documents of the sources cannot be read: running sources continue."),
  database: reasonSince("Present while the database that the workers share cannot be used: nothing is sent."),
  database_slow_seconds: optional(
    Type.Number({
      description:
        "How many seconds the database takes for an answer, while it is too slow: a second or more. Commits are applied late then, or not at all.",
    }),
  ),
});

/** The state of a service with many sources, for all outputs. Times are ISO 8601. */
export type FleetStatus = StoredForm<typeof fleetStatusForm>;

/** The state of a source. */
export type SourceStatus = FleetStatus["sources"][number];

/** The state of an environment in an overview of sources. */
export type EnvironmentSummary = SourceStatus["environments"][number];
