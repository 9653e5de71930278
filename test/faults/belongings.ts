import type { Harness } from "../fixtures/harness.ts";
import { type Fields, isFields, textIn } from "../../core/values/json.ts";
import { lossesOf, type Plan } from "../../core/planning/plan/index.ts";

/** Something live that a run can lose: a resource, a volume, the size of one, a version, a variable, a secret, a backup. */
export interface Belonging {
  /** Its live id, or that of the resource that has it. */
  id: string;
  /** What it is called in a ledger: `resource`, `volume`, `data`, `version`, `variable`, `secret`. */
  what: string;
  /** The mount point, the key; empty: a resource has one such thing. */
  key: string;
  /** How much of it there is; absent: it is there, or it is not. */
  amount?: number;
}

/** Everything that a server has and that can be lost, read over HTTP without the engine. By texts that name each. */
export async function belongingsOf(server: Harness): Promise<Map<string, Belonging>> {
  const found = new Map<string, Belonging>();
  const add = (belonging: Belonging) =>
    found.set(`${belonging.what} ${belonging.key} of ${belonging.id}`, belonging);
  for (const [path, answer] of await server.everything()) {
    const id = String(answer["id"]);
    add({ id, what: "resource", key: "" });
    for (const volume of volumesIn(answer))
      add({ id, what: "volume", key: String(volume["mount_point"]), amount: Number(volume["size"]) });
    const { storage, version } = answer;
    if (typeof storage === "number") add({ id, what: "data", key: "", amount: storage });
    if (answer["service_type"] === "DATABASE")
      add({ id, what: "version", key: "", amount: Number.parseFloat(String(version)) });
    for (const variable of await ownVariables(server, path, answer))
      add({ id, what: variable["is_secret"] === true ? "secret" : "variable", key: String(variable["key"]) });
  }
  return found;
}

/** What was there before and is gone or smaller now. */
export function lostBetween(
  before: ReadonlyMap<string, Belonging>,
  after: ReadonlyMap<string, Belonging>,
): Belonging[] {
  return [...before].flatMap(([name, belonging]) => {
    const left = after.get(name);
    if (left && (belonging.amount ?? 0) <= (left.amount ?? 0)) return [];
    return [belonging];
  });
}

/** What a plan says that it loses: a resource, or something that one has. */
export interface Listed {
  /** The resource, or the one that has it. */
  id: string;
  isResource: boolean;
  name: string;
}

/** The losses that a plan lists. */
export function listedIn({ actions }: Pick<Plan, "actions">): Listed[] {
  return lossesOf(actions).map(({ loss: { owner, id, name } }) => ({
    id: owner?.id ?? id ?? "",
    isResource: owner === undefined,
    name,
  }));
}

/** What is lost and not listed. */
export function unlisted(lost: readonly Belonging[], listed: readonly Listed[]): Belonging[] {
  return lost.filter((belonging) => !listed.some((loss) => concerns(loss, belonging)));
}

/** Whether an entry of the ledger is about this. A resource has its data, its version and its volumes with it. */
function concerns({ id, isResource, name }: Listed, belonging: Belonging): boolean {
  if (id !== belonging.id) return false;
  if (belonging.what === "resource") return isResource;
  if (belonging.key === "") return true;
  return !isResource && (name === belonging.key || name.endsWith(`: ${belonging.key}`));
}

function volumesIn({ storage }: Fields): Fields[] {
  return Array.isArray(storage) ? storage.filter((each) => isFields(each)) : [];
}

async function ownVariables(server: Harness, path: string, answer: Fields): Promise<Fields[]> {
  const scope = scopeOf(path, answer);
  if (scope === undefined) return [];
  const listed = await server.results(`/variable?parent_id=${String(answer["id"])}&scope=${scope}`);
  return listed.filter((variable) => textIn(variable, "scope") === scope);
}

/** The scope of the variables of a resource; undefined if it has none. */
function scopeOf(path: string, { service_type: type }: Fields): string | undefined {
  const names = path.split("/");
  if (names.length < 3) return names.length === 1 ? "PROJECT" : "ENVIRONMENT";
  return type === undefined || type === "DATABASE" ? undefined : String(type);
}
