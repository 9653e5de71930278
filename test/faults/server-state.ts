import { type Fields, isFields, type Json } from "../../core/values/json.ts";
import { originalName } from "./server-quirks.ts";
import { type FaultyServer, noneWhenGone } from "../fixtures/faulty-server.ts";

/** The contents of a server, without ids and dates, so that two servers can be compared. */
export interface State {
  resources: [path: string, answer: Json][];
  /** Creations and deletions, in no order: `CREATE JOB production/job-0`. */
  events: string[];
}

/** All resources of a server: path of names and answer. */
export type Everything = readonly [path: string, answer: Fields][];

/**
 * The contents of the project that the manifests describe.
 *
 * @param everything what is on the server now
 * @param parts whether variables and secrets count, which takes a request for each resource
 */
export async function stateOf(stage: FaultyServer, everything: Everything, parts: boolean): Promise<State> {
  const resources = everything.filter(([path]) => isOurs(path));
  const withVariables = resources.map(async ([path, answer]): Promise<[string, Json]> => {
    const isStage = answer["service_type"] === "DEPLOYMENTSTAGE";
    const variables = parts && !isStage ? await variablesOf(stage, path, answer) : [];
    return [path, comparable({ ...answer, variables })];
  });
  return {
    resources: (await Promise.all(withVariables)).toSorted(byPath),
    events: (await eventsOf(stage)).toSorted(),
  };
}

/** The variables and secrets of a resource itself, by key; the API shows no value of a secret. */
async function variablesOf(
  stage: FaultyServer,
  path: string,
  { id, service_type: type }: Fields,
): Promise<Fields[]> {
  const scope = typeof type === "string" ? type : path.includes("/") ? "ENVIRONMENT" : "PROJECT";
  const all = await stage.harness.results(`/variable?parent_id=${String(id)}&scope=${scope}`);
  return (
    all
      .filter(({ scope: itsScope, variable_type: sort }) => itsScope === scope && sort !== "BUILT_IN")
      .toSorted((left, right) => (String(left["key"]) < String(right["key"]) ? -1 : 1))
      // Left out, it is false.
      .map((variable) => ({
        ...variable,
        enable_interpolation_in_file: variable["enable_interpolation_in_file"] === true,
      }))
  );
}

/** The services of the server, each with whether its configuration is deployed: `shop/staging/JOB a` -> `UP_TO_DATE`. */
export async function deployedIn(
  stage: FaultyServer,
  everything: Everything,
): Promise<[path: string, status: string][]> {
  const paths = new Map([...idsOf(everything)].map(([path, id]) => [id, path]));
  const environments = everything.filter(([path]) => path.split("/").length === 2);
  const answers = await Promise.all(
    environments.map(([, { id }]) => stage.harness.api("GET", `/environment/${String(id)}/statuses`)),
  );
  return answers
    .flatMap((answer) => Object.values(isFields(answer) ? answer : {}))
    .flatMap((list) => (Array.isArray(list) ? list.filter(isFields) : []))
    .map(({ id, service_deployment_status: status }): [string, string] => [
      paths.get(String(id)) ?? "",
      String(status),
    ])
    .toSorted(byPath);
}

/** `shop/staging/job-0` for `shop/staging/JOB job-0`. */
export function nameOf(path: string): string {
  return path.replace(/\w+ (?=[^/]*$)/, "");
}

/** Path -> id of every resource. */
export function idsOf(everything: Everything): Map<string, string> {
  return new Map(everything.map(([path, { id }]) => [path, String(id)]));
}

/** The present lists of the organization, of its projects and of their environments: path -> answer as JSON. */
export async function listsOf(stage: FaultyServer): Promise<Map<string, string>> {
  const lists = new Map<string, string>();
  const read = async (path: string): Promise<Fields[]> => {
    const results = await stage.harness.results(path);
    lists.set(path, JSON.stringify({ results }));
    return results;
  };
  for (const project of await read(`/organization/${stage.connection.organization.id}/project`))
    for (const environment of await read(`/project/${String(project["id"])}/environment`))
      for (const list of ["services", ...(stage.hasStages ? ["deploymentStage"] : [])])
        await read(`/environment/${String(environment["id"])}/${list}`).catch(noneWhenGone);
  return lists;
}

/** The contents outside the manifests, byte by byte. */
export function bystandersOf(everything: Everything): string {
  return JSON.stringify(everything.filter(([path]) => !isOurs(path)));
}

function isOurs(path: string): boolean {
  return path === "shop" || path.startsWith("shop/");
}

function byPath([left]: readonly [string, Json], [right]: readonly [string, Json]): number {
  return left < right ? -1 : 1;
}

/** Without ids and dates; an empty value equals an absent one. */
function comparable(value: Json): Json {
  if (Array.isArray(value)) return value.map((element) => comparable(element));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(
    ([member, inner]) => !/^id$|_id$|_at$/.test(member) && !isEmpty(inner),
  );
  return Object.fromEntries(entries.map(([member, inner]) => [member, comparable(inner)]));
}

function isEmpty(value: Json): boolean {
  return value === "" || value === null || (Array.isArray(value) && value.length === 0);
}

async function eventsOf(stage: FaultyServer): Promise<string[]> {
  const events: Fields[] = [];
  let token: string | undefined;
  do {
    const query = `pageSize=100${token === undefined ? "" : `&continueToken=${token}`}`;
    const path = `/organization/${stage.connection.organization.id}/events?${query}`;
    const answer = await stage.harness.api("GET", path);
    const page = isFields(answer) && Array.isArray(answer["events"]) ? answer["events"].filter(isFields) : [];
    const links = isFields(answer) && isFields(answer["links"]) ? answer["links"] : {};
    events.push(...page);
    token = links["next"] === undefined ? undefined : String(page.at(-1)?.["timestamp"]);
  } while (token !== undefined);
  return events.flatMap((event) => {
    const { event_type: type, target_type: target, environment_name: holder, target_name: name } = event;
    const counts =
      ["CREATE", "CLONE", "DELETE"].includes(String(type)) && event["sub_target_type"] === undefined;
    if (!counts || event["project_name"] !== "shop") return [];
    const names = (target === "ENVIRONMENT" ? [name] : [holder, name]).map((each) => String(each));
    return [[type, target, ...names.map((each) => originalName(each) ?? each)].join(" ")];
  });
}
