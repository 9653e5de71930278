import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type Fields, isFields, type Json } from "../../../core/json.ts";
import { createEmulator } from "../../../emulator/index.ts";
import { runInside } from "../../support/run-inside.ts";
import type { Console } from "../../terminal/console.ts";
import type { Expectation, Story } from "./story.ts";

/** The differences between the plan of a story and the expectation; empty if there are none. */
export async function play(story: Story, config: string | undefined, console: Console): Promise<string[]> {
  const { position, seed } = story;
  const folder = await mkdtemp(join(tmpdir(), "infrasync-story-"));
  try {
    const given = typeof seed === "string" ? resolve(dirname(position.file), seed) : seed;
    const emulator = await createEmulator({
      deployDelay: 0,
      rateLimit: 0,
      seed: given,
    });
    try {
      return await differences(story, folder, config, console, {
        ...console.io.env,
        INFRASYNC_BASE_URL: emulator.url,
        INFRASYNC_TOKEN: emulator.tokens.admin,
        INFRASYNC_TOKEN_FILE: undefined,
        INFRASYNC_ORGANIZATION: emulator.organization.id,
        INFRASYNC_CACHE: folder,
      });
    } finally {
      await emulator.close();
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function differences(
  { sources, documents, live, vars, flags, expect }: Story,
  folder: string,
  config: string | undefined,
  console: Console,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const inFile = async (name: string, described: readonly string[]) => {
    const file = join(folder, name);
    await writeFile(file, described.join("---\n"));
    return file;
  };
  const values = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}=${assignedText(value)}`]);
  if (live.length > 0) {
    const before = ["apply", await inFile("live.yaml", live), "--yes", "--output", "json"];
    const { code, stdout, stderr } = await runInside(before, console, env);
    if (code !== 0)
      return [`the live documents cannot be applied: ${messagesIn(stdout).join("; ") || stderr}`];
  }
  const named = documents.length > 0 ? [await inFile("documents.yaml", documents)] : sources;
  const chosen = config === undefined ? [] : ["--config", config];
  const { stdout, stderr } = await runInside(
    ["plan", ...named, ...chosen, ...values, ...flags, "--output", "json"],
    console,
    env,
  );
  const plan: unknown = stdout === "" ? undefined : JSON.parse(stdout);
  return isFields(plan) ? compare(expect, plan) : [`there is no plan: ${stderr}`];
}

/** The value of a variable of a story, as the command line takes it. */
function assignedText(value: Json): string {
  if (value === null) return "";
  return value === "" ? '""' : String(value);
}

/** Compares the JSON document of a plan, or of an error, with what is expected. */
function compare({ plan: expected, refused = [], notes }: Expectation, document: Fields): string[] {
  const { plan } = document;
  const made = isFields(plan) ? plan : document;
  const messages = [...new Set([...messagesIn(document), ...messagesIn(made)])];
  const said = textsOf(made["notes"]);
  return [
    ...(expected ? comparePlans(expected, actionsIn(made)) : []),
    ...withoutMessage(refused, messages).map((text) => `not refused: ${text}`),
    ...(refused.length > 0 ? [] : messages.map((message) => `refused: ${message}`)),
    ...withoutMessage(notes ?? [], said).map((text) => `not noted: ${text}`),
    ...(notes?.length === 0 ? said.map((note) => `noted, but not expected: ${note}`) : []),
  ];
}

function withoutMessage(texts: readonly string[], messages: readonly string[]): string[] {
  return texts.filter((text) => !messages.some((message) => message.includes(text)));
}

function comparePlans(expected: readonly string[], planned: readonly string[]): string[] {
  const rest = [...planned];
  const missing = expected.filter((line) => {
    const index = rest.findIndex((each) => (line.includes(": ") ? each : each.split(": ")[0]) === line);
    if (index >= 0) rest.splice(index, 1);
    return index < 0;
  });
  return [
    ...missing.map((line) => `expected, but not planned: ${line}`),
    ...rest.map((line) => `planned, but not expected: ${line}`),
  ];
}

/** `update job:shop/staging/report: cpu, memory`, one for each change. */
function actionsIn({ actions }: Fields): string[] {
  return (Array.isArray(actions) ? actions : []).flatMap((action) => {
    if (!isFields(action) || action["type"] === "none") return [];
    const { type, address, changes } = action;
    const fields = (Array.isArray(changes) ? changes : []).flatMap((change) =>
      isFields(change) ? String(change["field"] ?? change["path"]) : [],
    );
    const states = type === "update" || type === "replace";
    return `${String(type)} ${String(address)}${states && fields.length > 0 ? `: ${fields.join(", ")}` : ""}`;
  });
}

function messagesIn(document: Fields | string): string[] {
  const value: unknown =
    typeof document === "string" ? (document === "" ? {} : JSON.parse(document)) : document;
  return isFields(value) ? textsOf(value["problems"]) : [];
}

function textsOf(list: unknown): string[] {
  return (Array.isArray(list) ? list : []).map((one) =>
    isFields(one) ? String(one["message"]) : String(one),
  );
}
