import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseAddress } from "./address.ts";
import type { Client } from "./api/index.ts";
import { writeWhole } from "./files.ts";
import { fingerprint } from "./fingerprint.ts";
import { type Fields, isFields, type Json, stableJson } from "./json.ts";
import { kindOf } from "./kinds/index.ts";
import { type Contents, readContents } from "./live/index.ts";
import type { Action, Plan } from "./plan/index.ts";
import { findByName } from "./steps/index.ts";
import { InvalidInputError, type Problem } from "./problem.ts";
import { planFormat } from "./plan-format.ts";
import { ensureWritable } from "./writable.ts";

const version = 1;

/**
 * Makes sure that a plan can be written there, before anything is spent on it. Only an older plan or an empty file is
 * written over: a slip such as `plan --out shop.yaml` must not cost a manifest.
 *
 * @throws InvalidInputError
 */
export async function ensurePlanWritable(file: string): Promise<void> {
  await ensureWritable(file);
  if (!existsSync(file)) return;
  const old = await readText(file);
  if (old === "" || parse(old)?.["format"] === planFormat) return;
  throw new InvalidInputError([
    {
      message: `${file} exists and is no saved plan, so nothing is written to it`,
      advice: "name another file with --out, or delete that one",
    },
  ]);
}

/** Writes a plan to a file, so that `apply --plan` carries out just that. A failure leaves the old file. */
export async function writePlan(file: string, plan: Plan, baseUrl: string): Promise<void> {
  const content = { format: planFormat, version, baseUrl, plan: plan as unknown as Json };
  const text = JSON.stringify({ ...content, digest: digestOf(content) }, undefined, 2);
  await writeWhole(file, `${text}\n`, 0o600);
}

/**
 * Reads a plan that `writePlan` has written for the same API.
 *
 * @throws InvalidInputError when it is something else, was edited, or is of another version, server or organization.
 */
export async function readPlan(file: string, baseUrl: string): Promise<Plan> {
  const text = await readText(file);
  const content = parse(text);
  if (!content || content["format"] !== planFormat)
    throw refused(file, "is no plan of infrasync", "give a file that `plan --out` has written");
  if (content["version"] !== version)
    throw refused(
      file,
      `is a plan of version ${String(content["version"])}, and this infrasync reads version ${version}`,
      "plan again",
    );
  const { digest, ...rest } = content;
  if (digest !== digestOf(rest)) throw refused(file, "has been changed since it was written", "plan again");
  if (content["baseUrl"] !== baseUrl)
    throw refused(
      file,
      `was made for ${String(content["baseUrl"])}, not for ${baseUrl}`,
      "set the base URL that the plan was made for, or plan again",
    );
  return content["plan"] as unknown as Plan;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw refused(
      file,
      code === "ENOENT" ? "does not exist" : `cannot be read (${code})`,
      "give a file that `plan --out` has written",
    );
  }
}

function parse(text: string): Fields | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return isFields(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(content: Fields): string {
  return createHash("sha256").update(stableJson(content)).digest("hex");
}

function refused(file: string, what: string, advice: string): InvalidInputError {
  return new InvalidInputError([{ message: `the plan file ${file} ${what}`, advice }]);
}

/**
 * Holds a saved plan against what is live now: what it changes or deletes has to be as it was, what it makes still
 * has to be absent. One list for each parent that exists. Gives what is stale.
 */
export async function staleProblems(client: Client, plan: Plan): Promise<Problem[]> {
  const changing = plan.actions.filter(({ type, parent }) => type !== "none" && "id" in parent);
  const parents = new Map<string, Action>();
  for (const action of changing) if ("id" in action.parent) parents.set(action.parent.id, action);
  const children = new Map<string, Contents | undefined>();
  await Promise.all(
    [...parents].map(async ([parentId, { kind }]) => {
      children.set(parentId, await readContents(client, kindOf(kind).parent, parentId));
    }),
  );
  return changing.flatMap((action) => {
    const held = "id" in action.parent ? children.get(action.parent.id) : undefined;
    const what = staleness(action, held);
    if (what === undefined) return [];
    return [
      {
        message: `the plan is stale: ${action.address} ${what}`,
        advice: "plan again",
        address: action.address,
      },
    ];
  });
}

function staleness(action: Action, held: Contents | undefined): string | undefined {
  if (!held) return "has lost what held it";
  const kind = kindOf(action.kind);
  if (action.type === "create" || action.type === "clone") {
    const name = parseAddress(action.address)?.names.at(-1) ?? action.name;
    return findByName({ kind, name, parentId: "" }, held) ? "has appeared since" : undefined;
  }
  if (action.type === "none" || action.id === undefined || action.fingerprint === undefined) return undefined;
  const { id } = action;
  const live = held.resources.find((resource) => resource.kind === kind && resource.id === id);
  if (!live) return "has disappeared since";
  return fingerprint(kind, live.name, live.fields) === action.fingerprint ? undefined : "has changed since";
}
