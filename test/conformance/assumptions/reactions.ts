import type { Behaviour } from "../../../emulator/world/behaviour.ts";

/** What infrasync does on a server that is not as it assumes. */
export interface Reaction {
  /** It finds out and does right all the same; it refuses with a sentence; or nothing depends on it. */
  way: "copes" | "refuses" | "no matter";
  /** How it is noticed, or why nothing depends on it. */
  noticed: string;
  reaction: string;
  /** Sentences that stand below the table. */
  details: readonly string[];
}

const copes = (noticed: string, reaction: string, ...details: string[]): Reaction => ({
  way: "copes",
  noticed,
  reaction,
  details,
});
const refuses = (noticed: string, reaction: string, ...details: string[]): Reaction => ({
  way: "refuses",
  noticed,
  reaction,
  details,
});
const noMatter = (noticed: string): Reaction => ({ way: "no matter", noticed, reaction: "", details: [] });

/** By the member of the emulator's behaviour that plays such a server: the shop is played on each of them. */
export const reactions: Readonly<Record<keyof Behaviour, Reaction>> = {
  list_delay_ms: copes(
    "a list lacks a new resource that can be read by its id",
    "the run reads the list again. Before it creates or deletes, it reads by their ids the resources that events, or the cache of this machine, name as created in the last five minutes",
    "Where another operation shows more than an empty list that lags, the run ends before it changes anything; repeat it later. Without events, the first creation of a run shows whether the list lags. If it does, the run waits for the list after each creation, and reads it before the next one.",
    "If somebody else has created a resource of that name meanwhile, the run deletes its own, as long as that is empty.",
    "Without events, a deletion counts only the resources that the lists show.",
  ),
  clone_delay_ms: copes(
    "the clone is in no list",
    "the run waits; after `clone_timeout` the action is `pending`",
  ),
  delete_delay_ms: copes(
    "the resource can still be read",
    "the run waits; after five minutes the action is `pending`, and the next run continues",
  ),
  deploy_delay_ms: copes("the status of the service", "a run with `--wait` waits, another one does not"),
  event_delay_ms: copes(
    "the events lack the run's own writes",
    "the run does not cache lists that it has read since its writes. Changes of others are seen later, or with `--fresh`",
    "If lists lag too and names need not be unique, two machines within seconds of each other can create the same resource. The next plan shows both ids, and changes neither.",
  ),
  latency_ms: noMatter("each request has a minute"),
  rate_limit: copes(
    "the headers, or a 429",
    "the run waits, or stops with exit code 4",
    "After a 429, a write is sent again only if a read shows that it is still needed: a proxy may have passed it on.",
  ),
  rate_window_s: copes("`X-RateLimit-Reset`", "the run waits until then"),
  built_in_prefix: noMatter("built-in variables are known by their scope, not by their keys"),
  silent_pages: copes(
    "a page has no `pagination`",
    "each run reads one more page, which begins with the last element of the list and shows whether it continues, or compares it with the services or environments of the organization",
    "Lists of variables, and of resources that are only referred to, are checked only if they are longer or larger than those that were checked before. An empty list is compared with another operation; with a count of 0 only if its parent, or an earlier run, had elements.",
    "Once a day, a list that is requested without a page has to begin as page 1 does.",
  ),
  page_cap: copes("the page after the first has new elements", "pages are read until one has no new element"),
  page_bytes: copes(
    "as `page_cap`, or page 2 leaves elements out",
    "pages are read until one has no new element, or nothing is planned",
  ),
  capped_statuses: refuses(
    "no answer about the services shows more than the list",
    "a list with the length of the others counts as cut if that is a common page size",
  ),
  fixed_page_size: copes("page 2 has another size than was asked for", "all pages are read in that size"),
  ignores_page: refuses(
    "page 2 is page 1",
    "the list is whole if the server counts it; else as `no_pages`, or nothing is planned",
  ),
  no_pages: copes(
    "page 2 with one element less is page 1",
    "each run compares it with another operation. If the list lacks an element, or all have one usual length, the run ends",
    "Services are compared with the services of the organization and the statuses of the environment, environments with those of the organization and their number in the project, projects with the environments of the organization, variables with the lists of plain and of secret variables.",
    "A list that no other operation confirms counts as complete if it has fewer than 10 elements, or if the lists of services and environments of the organization have another length. If these are unknown: unless its length is a common page size, such as 20.",
  ),
  pages_from_zero: refuses(
    "page 1 is empty, or begins elsewhere, and the list without pages is not so",
    "nothing is planned",
  ),
  page_counts: refuses(
    "the pages have more or fewer elements than they say",
    "fewer: nothing is planned. More: the counts of the operation are ignored, and pages are read until one is short",
    "A count that equals the length of the page proves nothing from 10 elements on (variables: 20), until another page of the operation has proved that it counts lists. If a list has another length than in the run before, its count is checked again.",
  ),
  page_joins: refuses(
    "a page does not begin with an element that the page before has shown",
    "an element that comes twice counts once; where one may be missing, nothing is planned",
  ),
  refuses_pages: copes(
    "400, or a 404 behind the last page",
    "smaller pages are asked for, at last none: then a list is whole as on a server without pages",
  ),
  cached_lists_ms: copes(
    "a list lacks what the run has written, or shows what it has deleted",
    "the run looks again, and does not send a refused creation a second time",
  ),
  duplicate_names: copes(
    "a list has a name twice",
    "one run makes no double; what two runs at once make is shown with both ids, and not changed",
  ),
  case_sensitive_names: copes(
    "a list has two names that differ in case",
    "both ids are shown, and not changed",
  ),
  taken_name_status: copes(
    "a list has the name",
    "the resource is taken if it is as planned; else the refusal is reported",
  ),
  in_use_status: refuses("the refusal of the deletion", "the action fails with the words of the server"),
  deletes_what_is_used: noMatter(
    "a run deletes what its documents no longer declare, and asks the server for no opinion",
  ),
  free_names_during_clone: copes("a list has a name twice", "both ids are shown, and not changed"),
  parallel_operations: noMatter("clones that run side by side do not disturb each other"),
  forbidden_for_missing: copes(
    "a 403 after the server has accepted the deletion, and a list without the resource",
    "the resource is gone; any other 403 is an error of the token",
  ),
  scopes_ignored: noMatter("what a token may not do, the server refuses; that it may more changes nothing"),
  put_keeps_omitted: copes(
    "the answer to the PUT still has the field",
    "the report names it; each plan shows it again",
  ),
  renews_element_ids: copes(
    "the answer to the PUT",
    "elements are compared by their content, and the next update reads their ids again",
  ),
  refuses_smaller_storage: refuses("400", "the action fails with the words of the server"),
  refuses_unknown_members: refuses("400", "the action fails with the words of the server"),
  cluster_member: copes(
    "400 that names the member",
    "the creation is sent again, under each of the two names alone",
  ),
  lowers_names: copes(
    "the answer to the creation",
    "names are compared without case; the report names the value",
  ),
  trims_texts: copes("the answer to the write", "the report names the value that the server has not kept"),
  cpu_step: copes("the answer to the write", "the report names the value that the server has not kept"),
  still_updated_at: copes(
    "a resource differs, and its date does not",
    "all fields of a resource are compared as well",
  ),
  plain_values: copes("the list of variables", "the next plan shows that it is no alias"),
  refuses_existing_variables: refuses(
    "409",
    "the action fails with the words of the server; the next run finds the variable",
  ),
  shows_secrets: noMatter(
    "a value that is known to be secret is hidden wherever it comes from, and none is kept",
  ),
  short_answers: copes("an answer to a creation lacks the fields", "the resource is read by its id"),
  empty_answers: copes(
    "an answer without a body",
    "the resource is read once: that shows whether the write is done",
  ),
  leaves_out_empty: noMatter("a member that is missing, null, an empty text or an empty list means the same"),
  no_updated_at: copes(
    "`updated_at` is missing",
    "all fields are compared, and lists of its parts are read again",
  ),
  write_status: noMatter("every 2xx is a success; a read shows whether it is done"),
  busy_status: copes(
    "409, 423 or 425",
    "the run waits, for each sort of write; after any other status the action fails with the words of the server, and the next run continues",
  ),
  longest_name: refuses("400", "the action fails with the words of the server"),
  reset_form: copes(
    "a time of the reset that makes no sense",
    "the number of requests that are left counts, and the plan mentions the time",
  ),
  retry_after: copes("the header of a 429", "the run waits as long as it says"),
  anonymous_events: copes(
    "an event without `user_agent`",
    "it counts as one of somebody else: what it names is read again",
  ),
  schema_defaults: noMatter("a plan compares only fields that a document declares"),
  variables_outdate: copes("the status of the service", "`deploy` and `status` name it"),
  missing_operations: refuses(
    "404, although the parent is there",
    "the lists of each kind of service are read, and variables are written one by one; without a list, or where a deletion may take services of other kinds along, nothing is done",
  ),
};

/** What the description of the API leaves open, and the emulator needs no behaviour for. */
export const harmless: readonly [open: string, reason: string][] = [
  [
    "the states of a job, and their order",
    "a state that is not known is shown as it is, and counts as not finished; the wait has an end",
  ],
  [
    "enums beyond the values seen: `mode`, `build_mode`, `protocol`, `type`, `service_type`",
    "a schema checks what a manifest declares; what a server answers is kept as it is, and a service of another type is counted and never changed",
  ],
  [
    "minimum and maximum of the numbers of a probe",
    "the server refuses what it does not take, and the report has its words",
  ],
  [
    "for how long a server continues a request whose connection broke or whose gateway gave up (408, 502, 503, 504; 429 of a proxy)",
    "a creation is looked for during 20 seconds (after a 429, 5) before it is sent again; if both come, the report has both ids",
  ],
  [
    "the smallest size to which a server cuts pages",
    "the most is asked for, and the next page shows whether a page was cut; only a server without a next page is believed about fewer than ten elements",
  ],
  ["success codes of the operations", "every 2xx is a success"],
  [
    "whether a response has members that nobody has seen",
    "an update sends them back as they were read; those that it cannot send are losses of the plan",
  ],
  ["`git_repository.provider` and `healthchecks` in a creation", "both are sent"],
  [
    "names of the events of webhooks, their signature and repetition",
    "a webhook is a hint to look; every name is accepted, and no content of it believed",
  ],
  ["which scope an operation needs", "a 403 says so, and starts nothing more"],
  [
    "the lifetime of a JWT",
    "a 401 in the middle of a run starts nothing more, and the report says what is done",
  ],
  [
    "machine-readable codes of errors",
    "decisions go by the status and by what a read shows; the words of the server are quoted",
  ],
  [
    "the prefix `/api/v1` of one example, and how versions are negotiated",
    "the base URL may have a path; a wrong one is a 404 of the first request, which says so",
  ],
  ["path and shape of the auto-deploy operation", "it is never sent"],
];
