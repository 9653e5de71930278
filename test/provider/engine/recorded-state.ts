import { type Fields, isFields, type Json, mapFields } from "../../../core/values/json.ts";
import type { Stack } from "./stack.ts";

/** What a server makes up: ids, the names of hosts, values of tokens. */
const random = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<=\bz)[\da-f]{8}(?=-)|(?<=")[\da-f]{48}(?=")/g;
const time = /^\d{4}-\d\d-\d\dT[\d:]+\.\d+Z$/;

/**
 * The resources in the state of a stack as its export shows them, a line each, with secrets, and with ids and times that are the same
 * in each run.
 */
export async function recordedState(stack: Stack): Promise<string> {
  const numbers = new Map<string, number>();
  const numbered = (text: string) =>
    text.replaceAll(random, (id) => {
      if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
      return `00000000-0000-4000-8000-${String(numbers.get(id)).padStart(12, "0")}`;
    });
  const resources = resourcesOf(await exportOf(stack)).map((resource) => {
    // Where and when the engine has made a resource says nothing of it.
    const left = new Set(["sourcePosition", "stackTrace", "created", "modified"]);
    const rest = mapFields(resource, (value, member) => {
      if (member === "dependencies" && Array.isArray(value)) return value.toSorted();
      return left.has(member) ? undefined : value;
    });
    return JSON.stringify(
      eachText(rest, (text) => numbered(time.test(text) ? "2026-01-01T00:00:00.000Z" : text)),
    );
  });
  return `[\n${resources.join(",\n")}\n]\n`;
}

/** Puts a recorded state into a stack whose state has the same resources: with their ids and times. */
export async function importState(stack: Stack, recorded: string): Promise<void> {
  const exported = await exportOf(stack);
  const now = new Map(resourcesOf(exported).map((each) => [each["urn"], each]));
  const then = JSON.parse(recorded) as Fields[];
  const ids = new Map<string, string>();
  for (const each of then) pairIds(each, now.get(each["urn"]) ?? {}, ids);
  const resources = then.map((each) =>
    eachText(withTimesOf(each, now.get(each["urn"]) ?? {}), (text) =>
      text.replaceAll(random, (id) => ids.get(id) ?? id),
    ),
  );
  const deployment = { ...(isFields(exported["deployment"]) && exported["deployment"]), resources };
  await stack.write("state.json", JSON.stringify({ ...exported, deployment }));
  await succeed(stack, "pulumi stack import --file state.json");
}

async function exportOf(stack: Stack): Promise<Fields> {
  return JSON.parse(await succeed(stack, "pulumi stack export --show-secrets")) as Fields;
}

async function succeed(stack: Stack, command: string): Promise<string> {
  const { stdout, stderr, exitCode } = await stack.shell(command, "");
  if (exitCode !== 0) throw new Error(`${command}: ${stdout}${stderr}`);
  return stdout;
}

function resourcesOf({ deployment }: Fields): Fields[] {
  const resources = isFields(deployment) ? deployment["resources"] : [];
  return Array.isArray(resources) ? resources.filter(isFields) : [];
}

/** A value in which each text is another one; a secret is a value as JSON. */
function eachText(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => eachText(each, change));
  return isFields(value) ? mapFields(value, (each) => eachText(each, change)) : value;
}

/** Collects the random parts of one value with those that are at the same places of another one. */
function pairIds(one: Json, other: Json, ids: Map<string, string>): void {
  if (typeof one === "string" && typeof other === "string") {
    const now = other.match(random) ?? [];
    for (const [index, id] of (one.match(random) ?? []).entries()) ids.set(id, now[index] ?? id);
  }
  const there = new Map(membersOf(other));
  for (const [member, value] of membersOf(one)) pairIds(value, there.get(member) ?? null, ids);
}

/** A value with the times of another one. */
function withTimesOf(one: Json, other: Json): Json {
  if (typeof one === "string") return time.test(one) && typeof other === "string" ? other : one;
  const there = new Map(membersOf(other));
  if (Array.isArray(one))
    return one.map((each, index) => withTimesOf(each, there.get(String(index)) ?? null));
  return isFields(one) ? mapFields(one, (each, member) => withTimesOf(each, there.get(member) ?? null)) : one;
}

function membersOf(value: Json): [string, Json][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
