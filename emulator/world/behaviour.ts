import { Type, type Static } from "typebox";
import { closedObject } from "../bodies/common.ts";
import { LONGEST_WAIT } from "./clock.ts";
import { platformDefaults } from "./defaults.ts";

const milliseconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: LONGEST_WAIT, description }));
const yes = (description: string) => Type.Optional(Type.Boolean({ description }));
const number = (description: string, minimum: number, maximum = 1_000_000) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }));

const oneOf = <const Value extends string>(description: string, values: Value[]) =>
  Type.Optional(Type.Enum(values, { description }));

/** The behaviour of a server where servers differ. Omitted members follow the description of the API. */
export const Behaviour = closedObject({
  list_delay_ms: milliseconds("time until a list has what was created; by its id it can be read at once"),
  clone_delay_ms: milliseconds("time until a clone can be read"),
  delete_delay_ms: milliseconds("time that a deletion takes"),
  deploy_delay_ms: milliseconds("time that a deployment takes; 2000 if left out"),
  event_delay_ms: milliseconds("time until the list of events has an event"),
  latency_ms: milliseconds("delay of every answer"),
  rate_limit: number("requests of a token in a window; 0: no limit, and no `X-RateLimit-*` headers", 0),
  rate_window_s: number("length of a window in seconds; an hour if left out", 1),
  built_in_prefix: Type.Optional(
    Type.String({ description: "the beginning of the keys of built-in variables; `QOVERY` if left out" }),
  ),
  silent_pages: yes("a page does not say how many pages there are"),
  page_cap: number("the most elements of a list in one answer, whatever size it is asked for", 1),
  page_bytes: number("the most bytes of a list in one answer", 1),
  capped_statuses: yes("`page_cap` also cuts the lists in an answer with the statuses of an environment"),
  fixed_page_size: number("the size of pages, whatever size they are asked for", 1),
  ignores_page: yes("every page is the first"),
  no_pages: yes("a list comes as a whole, whatever page it is asked for"),
  pages_from_zero: yes("the first page is page 0"),
  page_counts: oneOf(
    "what a page counts wrongly: itself in place of the list; an element less than there are, or one more; all as `one page`",
    ["page", "less", "more", "one page"],
  ),
  page_joins: oneOf("what a page does with the element at its beginning", ["drops", "doubles"]),
  refuses_pages: oneOf(
    "400 for a query with a page, or for a `size` above `page_cap`; 404 for a page `beyond` the last",
    ["query", "size", "beyond"],
  ),
  cached_lists_ms: milliseconds("time for which a list is answered as it was when it was asked for last"),
  duplicate_names: yes("two resources of the same kind and parent can have one name"),
  case_sensitive_names: yes("names that differ in case only are two names"),
  taken_name_status: number("status of a request for a name that is taken; 409 if left out", 400, 499),
  in_use_status: number("status of a deletion of what something uses; 409 if left out", 400, 499),
  deletes_what_is_used: yes("what something uses is deleted all the same"),
  free_names_during_clone: yes("a clone takes its name when it is complete, not when it is requested"),
  parallel_operations: yes("a resource can be cloned several times at once"),
  forbidden_for_missing: yes("403 instead of 404 for what does not exist"),
  scopes_ignored: yes("every token may do everything"),
  put_keeps_omitted: yes("a PUT keeps what it leaves out"),
  renews_element_ids: yes("a PUT gives ports and storages new ids"),
  refuses_smaller_storage: yes("400 if a storage is to become smaller"),
  refuses_unknown_members: yes("400 for a body with a member that the server does not know"),
  cluster_member: oneOf("the only member for the cluster of a new environment; 400 for the other one", [
    "cluster",
    "cluster_id",
  ]),
  lowers_names: yes("names are stored in lower case"),
  trims_texts: yes("descriptions are stored without blanks at their ends"),
  cpu_step: number("cpu is rounded up to the next multiple of this", 1),
  still_updated_at: yes("`updated_at` stays as it was at the creation"),
  plain_values: yes("a variable whose value is the key of another is not an alias"),
  refuses_existing_variables: yes("409 for a POST of a variable whose key exists"),
  shows_secrets: yes("answers have the values of secrets"),
  schema_defaults: Type.Optional(
    Type.Array(Type.Enum([...platformDefaults]), {
      description:
        "members that a request may leave out and that then have the default of the description, not that of the platform, such as `service.auto_deploy`",
    }),
  ),
  short_answers: yes("the answer to a creation has the id alone"),
  empty_answers: yes("a PUT, and a creation of what is not cloned, is answered without a body"),
  leaves_out_empty: yes("answers leave out members that are null, an empty text or an empty list"),
  no_updated_at: yes("resources have no `updated_at`"),
  write_status: number("status of each write that is carried out, as 200 or 202", 200, 299),
  busy_status: number(
    "status of a request while another operation is in progress; 409 if left out",
    400,
    499,
  ),
  longest_name: number("most characters of a name; 400 for a longer one", 1),
  reset_form: oneOf("what `X-RateLimit-Reset` counts in place of seconds since 1970", [
    "seconds from now",
    "milliseconds",
  ]),
  retry_after: yes("a 429 has the header `Retry-After`"),
  anonymous_events: yes("events do not name the program that has sent the request"),
  variables_outdate: yes("a service whose variables change is out of date"),
  missing_operations: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "operations that the server does not have, such as `GET /environment/{environmentId}/services`",
    }),
  ),
});

export type Behaviour = Static<typeof Behaviour>;

const defaults = {
  clone_delay_ms: 0,
  delete_delay_ms: 0,
  deploy_delay_ms: 2000,
  latency_ms: 0,
  rate_limit: 1000,
  rate_window_s: 3600,
  built_in_prefix: "QOVERY",
  forbidden_for_missing: false,
} satisfies Behaviour;

/** A behaviour with the defaults of what every server has, such as a quota. */
export type EffectiveBehaviour = Behaviour & Required<Pick<Behaviour, keyof typeof defaults>>;

export function withDefaults(behaviour: Behaviour): EffectiveBehaviour {
  return { ...defaults, ...behaviour };
}

export function rewritten<Body>(body: Body, { lowers_names, trims_texts, cpu_step }: Behaviour): Body {
  if (!(lowers_names || trims_texts || cpu_step) || typeof body !== "object" || body === null) return body;
  const { name, description, cpu } = body as { name?: unknown; description?: unknown; cpu?: unknown };
  return {
    ...body,
    ...(lowers_names && typeof name === "string" && { name: name.toLowerCase() }),
    ...(trims_texts && typeof description === "string" && { description: description.trim() }),
    ...(cpu_step && typeof cpu === "number" && { cpu: Math.ceil(cpu / cpu_step) * cpu_step }),
  };
}
