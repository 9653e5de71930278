import Type from "typebox";
import {
  choice,
  count,
  form,
  heading,
  list,
  optional,
  printed,
  text,
} from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { sourceStates } from "./source-state.ts";
import { doubts } from "./status-form.ts";

const time = (description: string) => Type.String({ format: "date-time", description });

const sourceForm = form({
  name: text("Name of the source: its status is at `/sources/NAME/status.json`."),
  team: optional(text("The team that owns the source.")),
  repository: text("URL of its repository."),
  state: choice(
    sourceStates,
    "`down`: the source does not run; `unknown`: its last known state may be outdated; `stopped`: no document declares it any more; otherwise the state of its worst environment.",
  ),
  synced: count("How many environments were synced when they were compared."),
  environments: count("How many environments it has."),
  checked_at: optional(time("When live resources were last compared with the commit.")),
  in_doubt: optional(
    form(
      { because: choice(doubts, "Why."), since: time("Since when.") },
      "Present while the state may be outdated.",
    ),
  ),
  failure: optional(
    form({ reason: text("Why."), since: time("Since when.") }, "Present while the source does not run."),
  ),
  worker: optional(
    form(
      {
        name: text("The beginning of its id in the database."),
        host: text("Its machine."),
        seen_at: time("When it last reported."),
      },
      "The worker of the source, if another worker answers.",
    ),
  ),
  stopped: optional(
    form(
      {
        since: time("Since when."),
        left: optional(
          list(Type.String(), "Addresses of what it has left live; absent: its memory is damaged."),
        ),
      },
      "Present while no document declares it any more, and nobody has acknowledged that.",
    ),
  ),
  ending: optional(
    Type.Boolean({
      description: "True while it finishes its cycle, because no document declares it any more.",
    }),
  ),
});

/** The content of `GET /status.json` and `infrasync reconcile status --output json` for many sources. */
export const fleetStatusForm = form(
  {
    ...heading("infrasync-fleet-status", printed),
    now: time("The time of the service."),
    synced: count("How many sources are synced."),
    sources: list(sourceForm, "All sources that the reader may see, the worst first."),
    problems: list(Type.String(), "What is wrong with the documents of the sources."),
    notes: optional(list(Type.String(), "The rules of the operator that restrict nothing in any source.")),
    unread: optional(
      form(
        { reason: text("Why."), since: time("Since when.") },
        "Present while the documents of the sources cannot be read: running sources go on.",
      ),
    ),
    database: optional(
      form(
        { reason: text("Why."), since: time("Since when.") },
        "Present while the database that the workers share cannot be used: nothing is sent.",
      ),
    ),
  },
  "The status of a service with many sources.",
);

/** The state of a service with many sources, for all outputs. Times are ISO 8601. */
export type FleetStatus = StoredForm<typeof fleetStatusForm>;

export type SourceStatus = FleetStatus["sources"][number];
