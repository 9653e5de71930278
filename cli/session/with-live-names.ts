import { ApiError, ClientSettingsError } from "../../core/api/index.ts";
import { liveNames } from "../../core/deployments/index.ts";
import { LiveStore } from "../../core/state/live/index.ts";
import { findOrganization } from "../../core/state/organization.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { isManifest } from "../../core/source/files.ts";
import { escapeControl } from "../../core/values/text.ts";
import type { SettingFlags } from "../settings/names.ts";
import { SettingsReader } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import type { TypedCommand } from "../terminal/typed-command.ts";
import { clientFor } from "./session.ts";

const mostNamed = 5;

/** Adds to mistakes about a name alone, such as `production`, the live resources with that name. */
export async function withLiveNames(
  refusal: InvalidInputError,
  typed: TypedCommand,
  flags: SettingFlags,
  console: Console,
): Promise<InvalidInputError> {
  const wrong = refusal.problems.map((problem) => nameIn(problem, typed));
  if (wrong.every((name) => name === undefined) || !typed.has("--base-url")) return refusal;
  const read = liveReader(flags, console);
  const advised = refusal.problems.map(async (problem, index) => {
    const name = wrong[index];
    const found = name === undefined ? [] : await read(name);
    const fitting = found.filter((address) => problem.code === "unreadable" || !isProject(address));
    const named = fitting
      .slice(0, mostNamed)
      .map((address) => written(escapeControl(address), problem, typed));
    if (named.length > 0) return { ...problem, advice: `did you mean ${named.join(" or ")}?` };
    const { advice = "", code } = problem;
    if (name === undefined || code !== "unreadable") return problem;
    return {
      ...problem,
      advice: `${advice}; to choose the environment of that name: ${written(`PROJECT/${name}`, problem, typed)}`,
    };
  });
  return new InvalidInputError(await Promise.all(advised), refusal.code);
}

/** The word of the command line, a name alone, that matches nothing, unless it names something in manifests. */
function nameIn(
  { unmatched = "" }: Problem,
  { name: command, args, flags }: TypedCommand,
): string | undefined {
  if (command === "promote") return undefined;
  const words = [...args, ...flags.flatMap(({ name, value }) => (name === "--target" ? [] : value))];
  return /^[\w.-]+$/.test(unmatched) && !isManifest(unmatched) && words.includes(unmatched)
    ? unmatched
    : undefined;
}

const isProject = (address: string) => address.startsWith("project:");

/** A live address as a command takes it: beside its manifests as a target, with all that is in it. */
function written(address: string, { code }: Problem, { name, args }: TypedCommand): string {
  const isEnvironment = !address.includes(":");
  if (code === "unreadable" && name !== "destroy") {
    const outer = isProject(address) ? address.slice(address.indexOf(":") + 1) : address;
    return isEnvironment || isProject(address) ? `--target '${outer}/**'` : `--target ${address}`;
  }
  const isSource = name === "clone" && args.includes(address.slice(address.lastIndexOf("/") + 1));
  return isSource && isEnvironment ? `environment:${address}` : address;
}

/** Finds the live resources with a name; none if no server answers. */
function liveReader(flags: SettingFlags, console: Console): (name: string) => Promise<string[]> {
  const open = async () => {
    const reader = await SettingsReader.open(flags, { orders: [] }, console);
    const settings = await reader.complete(reader.declared());
    if (!settings || reader.problems.length > 0) return undefined;
    // It serves only an advice, for which nobody waits.
    const client = clientFor({ ...settings, onQuota: "fail", quotaPatience: 0 }, console, {
      mostTries: 1,
      requestTimeout: 3_000,
    });
    return {
      run: { client, live: new LiveStore() },
      organization: await findOrganization(client, settings.organization),
    };
  };
  let opened: ReturnType<typeof open> | undefined;
  return async (name) => {
    try {
      opened ??= open();
      const session = await opened;
      return session ? await liveNames(session.run, session.organization, name) : [];
    } catch (failure) {
      if ([ApiError, ClientSettingsError, InvalidInputError].some((kind) => failure instanceof kind))
        return [];
      throw failure;
    }
  };
}
