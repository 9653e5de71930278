import { readIfThere } from "../../core/files/files.ts";
import { escapeControl } from "../../core/values/text.ts";
import { leftOutForm, leftOutText } from "../render/skipped-items.ts";
import {
  type RepositoryFacts,
  type CiSystem,
  beginningFiles,
  ciSystems,
  exampleIn,
  ignoredFiles,
} from "./init/files.ts";
import { type CiPackage, packageMissing, readPackage } from "./init/package.ts";
import { exitCodes } from "../exit-codes.ts";
import { counted } from "../render/text.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { outputOf } from "../../core/outputs/forms/index.ts";
import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { dump } from "../../core/import/live/index.ts";
import { listEntries } from "../../core/outputs/show/index.ts";
import { isFields, textIn } from "../../core/values/json.ts";
import { chooseOrganization, type Organization } from "../../core/state/organization.ts";
import { InvalidInputError, refusal } from "../../core/problems/problem.ts";
import type { Run } from "../../core/execution/session/index.ts";
import { withStatus } from "../progress/with-status.ts";
import type { Settings } from "../settings/index.ts";
import { whyUnwatched } from "../settings/attendance.ts";
import { askText } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import { advise } from "../render/command-advice.ts";
import { checkText, checkWritten } from "./init/manifest-check.ts";
import { readSettings } from "../session/read-settings.ts";
import { connect } from "../session/session.ts";
import { writeFiles, type FileToWrite } from "../files/write-files.ts";

/** A person at a terminal is asked for missing flags. */
interface Flags extends SettingFlags {
  autoApprove?: boolean;
  dryRun?: boolean;
  ci?: CiSystem;
  package?: string;
  organizationDocuments?: boolean;
}

/** `infrasync init`: writes the files for a repository. */
export const init: Command<[folder: string | undefined], Flags> = {
  async run({ args: [folder = "."], flags, console }) {
    const started = await begin(folder, flags, console);
    const { organization, declared, leftOut, example, written, kept, check } = started;
    const code = check.mistakes.length > 0 ? exitCodes.failed : exitCodes.done;
    for (const text of checkText(check)) console.note(text);
    if (console.json) {
      console.document(outputOf("documents", { files: written, kept, left_out: leftOut.map(leftOutForm) }));
      return code;
    }
    const shown = (names: readonly string[]) => names.map((name) => `  ${escapeControl(name)}`).join("\n");
    const heading = flags.dryRun ? "Would be written" : "Written";
    if (written.length > 0) console.data(`${heading}:\n${shown(written)}`);
    if (flags.dryRun) return code;
    if (kept.length > 0) console.data(`Left as they were:\n${shown(kept)}`);
    for (const each of leftOut) console.note(leftOutText(each));
    const what =
      declared === 0 ? "it has no project" : `the manifests declare ${counted(declared, "resource")}`;
    const toBegin =
      example === undefined
        ? ""
        : ` ${escapeControl(example)} is one to begin with: choose other names in it, or delete it.`;
    advise(
      console,
      `\nOrganization ${escapeControl(organization)}: ${what}.${toBegin} To see what an apply would change:`,
      ["plan", folder === "." ? "manifests" : `${folder.replace(/\/+$/, "")}/manifests`],
    );
    return code;
  },
};

/** Writes the files for a repository. Existing files stay unchanged: `kept`. */
async function begin(folder: string, flags: Flags, console: Console) {
  await ensureFolder(folder);
  const ciPackage = packageOf(flags);
  const isWatched = !flags.autoApprove && whyUnwatched(console.io) === undefined;
  const given = isWatched ? await withBaseUrl(flags, console) : flags;
  const settings = await readSettings(given, console, { orders: [folder] });
  const { organization, documents, leftOut, clusters, check } = await readAround(
    settings,
    isWatched,
    console,
    flags,
  );
  const { name = organization.id } = organization;
  const ci = await ciOf(flags.ci ?? (isWatched ? await askCi(console) : "none"), ciPackage, console);
  const files = beginningFiles({
    folder,
    baseUrl: settings.baseUrl,
    organization: name,
    documents,
    cluster: clusters[0]?.name,
    ci,
  });
  const { fresh, kept } = await divide(files);
  const ignored = await gitignore(folder);
  const all = [...fresh, ...(ignored ? [ignored] : [])];
  if (!flags.dryRun) await writeFiles(all);
  const example = fresh.find((file) => file.name === exampleIn(folder))?.name;
  return {
    organization: name,
    declared: documents.length,
    leftOut,
    check,
    ...(example !== undefined && { example }),
    written: all.map((file) => file.name),
    kept: kept.map((file) => file.name),
  };
}

/** @throws InvalidInputError where the name is not that of a folder */
async function ensureFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (!found || found.isDirectory()) return;
  throw refusal(
    "argument",
    `${escapeControl(folder)} is not a folder`,
    "name the folder of the repository, or a new one",
  );
}

async function withBaseUrl(flags: Flags, console: Console): Promise<Flags> {
  const { env } = console.io;
  if (flags.baseUrl !== undefined || env["INFRASYNC_BASE_URL"]) return flags;
  // Questions are useless before the token is set.
  if (!env["INFRASYNC_TOKEN"] && !env["INFRASYNC_TOKEN_FILE"]) return flags;
  const baseUrl = await askText("URL of the API", console);
  return baseUrl === undefined ? flags : { ...flags, baseUrl };
}

/** The package of `--package`. @throws InvalidInputError */
function packageOf({ ci, package: declared }: Flags): CiPackage | undefined {
  if (declared === undefined) {
    if (ci === "github" || ci === "gitlab") throw new InvalidInputError([packageMissing]);
    return undefined;
  }
  if (ci === undefined || ci === "none")
    throw refusal(
      "argument",
      "--package is the package that a file for CI installs, and no such file is requested",
      "add --ci github or --ci gitlab, or leave out --package",
    );
  const read = readPackage(declared);
  if ("message" in read) throw new InvalidInputError([read]);
  return read;
}

/** The file for CI; a person who has chosen it at the terminal is asked for its package. @throws InvalidInputError */
async function ciOf(
  system: CiSystem,
  ciPackage: CiPackage | undefined,
  console: Console,
): Promise<RepositoryFacts["ci"]> {
  if (system === "none") return { system };
  return { system, ciPackage: ciPackage ?? (await askPackage(console)) };
}

async function askPackage(console: Console): Promise<CiPackage> {
  const answer = await askText("Package for CI: URL#sha512-… or @scope/name@version", console);
  if (answer === undefined) throw new InvalidInputError([packageMissing]);
  const read = readPackage(answer);
  if (!("message" in read)) return read;
  console.note(`${read.message}.`);
  return askPackage(console);
}

async function askCi(console: Console): Promise<CiSystem> {
  const answer = await askText(`File for CI: ${ciSystems.join(", ")} [none]`, console);
  if (answer === undefined) return "none";
  const chosen = ciSystems.find((system) => system === answer.toLowerCase());
  if (chosen !== undefined) return chosen;
  console.note(`There is no file for "${escapeControl(answer)}".`);
  return askCi(console);
}

async function readAround(
  settings: Settings,
  isWatched: boolean,
  console: Console,
  { organizationDocuments = false }: Flags,
) {
  return withStatus(console, async (status) => {
    status.reading();
    const run = await connect(settings, console, status);
    const items = await run.client.list("/organization");
    let desired = settings.organization;
    if (desired === undefined && items.length > 1 && isWatched) {
      status.pause();
      desired = await askText(`Organization (${namesOf(items)})`, console);
    }
    const organization = chooseOrganization(items, desired);
    return readLive(run, organization, !organizationDocuments);
  });
}

async function readLive(run: Run, organization: Organization, projectsOnly: boolean) {
  const [{ documents, leftOut }, clusters] = await Promise.all([
    dump(run, organization, undefined, { projectsOnly }),
    listEntries(run.client, organization, ["cluster"]),
  ]);
  return {
    organization,
    documents,
    leftOut,
    clusters,
    check: await checkWritten(run, organization, documents),
  };
}

function namesOf(items: readonly unknown[]): string {
  const names = items.flatMap((item) => (isFields(item) ? (textIn(item, "name") ?? []) : []));
  return names.map(escapeControl).join(", ");
}

async function divide(files: readonly FileToWrite[]): Promise<{ fresh: FileToWrite[]; kept: FileToWrite[] }> {
  const exist = await Promise.all(files.map(({ name }) => lstat(name).catch(() => undefined)));
  return {
    fresh: files.filter((_file, index) => !exist[index]),
    kept: files.filter((_file, index) => exist[index]),
  };
}

/** A `.gitignore` with its missing lines; undefined: it lacks none. */
async function gitignore(folder: string): Promise<FileToWrite | undefined> {
  const name = join(folder, ".gitignore");
  const text = (await readIfThere(name)) ?? "";
  const lines = new Set(text.split(/\r?\n/));
  const missing = ignoredFiles.filter((line) => !lines.has(line));
  if (missing.length === 0) return undefined;
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return { name, text: `${start}${missing.join("\n")}\n` };
}
