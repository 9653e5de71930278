import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { commands } from "../../cli/commands/index.ts";
import { createProgram } from "../../cli/program.ts";
import { settingsFileSchema } from "../../cli/settings/file-schema.ts";
import { settings } from "../../cli/settings/table.ts";
import { Console } from "../../cli/terminal/console.ts";
import { concerns } from "../../core/planning/concerns/index.ts";
import { knownVariables } from "../../core/redaction/environment-variables.ts";
import { kinds } from "../../core/model/kinds/index.ts";
import { verbs } from "../../reconciler/verbs.ts";
import { syncStates } from "../../reconciler/sync-states.ts";
import { sourceFiles } from "./lines.ts";

const checkout = path.join(import.meta.dirname, "..", "..");

/** The counts of features that make the product hard to learn and to change. */
export async function counts() {
  const sink = new PassThrough();
  const io = { stdin: sink, stdout: sink, stderr: sink, env: {}, signal: new AbortController().signal };
  const console = new Console(io, { json: false, jsonLines: false, color: false });
  const program = await createProgram(console, () => undefined);
  const visible = commands.filter(({ group }) => group !== undefined);
  return {
    // Deploy, stop, restart and cancel are one file.
    commands: new Set(visible.map(({ load }) => /import\("(.+?)"\)/.exec(load.toString())?.[1])).size,
    flags: new Set(program.commands.flatMap(({ options }) => options.map(({ long }) => long))).size,
    environment_variables: knownVariables.length,
    settings: new Set([...Object.keys(settings), ...Object.keys(membersOf(settingsFileSchema()))]).size,
    kinds: kinds.length,
    concerns: concerns.length,
    types: sourceFiles(checkout)
      .map((file) => readFileSync(path.join(checkout, file), "utf8"))
      .flatMap((text) => text.match(/^(?:export )?(?:interface|type) [A-Z]\w*/gm) ?? []).length,
    states_and_requests: syncStates.length + Object.keys(verbs).length,
    words_of_pages: wordsByHand(),
  };
}

/** The words of all pages, without those that the generators write. */
function wordsByHand(): number {
  const pages = globSync(["*.md", "{.github,core,docs,examples}/**/*.md"], { cwd: checkout });
  return pages.flatMap((page) => handWritten(readFileSync(path.join(checkout, page), "utf8"))).length;
}

/** The words of a page that no generator writes. */
export function handWritten(page: string): string[] {
  if (/^<!-- (?:This page is )?written by tools\/docs/m.test(page)) return [];
  return page.replaceAll(/<!-- ([^:>]+): written by [^]*?<!-- end of \1 -->/g, "").match(/\S+/g) ?? [];
}

function membersOf(schema: { properties?: object }): object {
  return schema.properties ?? {};
}
