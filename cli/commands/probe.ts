import { outputOf } from "../../core/forms/index.ts";
import { findOrganization } from "../../core/organization.ts";
import type { Problem } from "../../core/problem.ts";
import { ensureWritable } from "../../core/writable.ts";
import {
  type Leftover,
  needsProject,
  type Probed,
  profileOf,
  Recorder,
  removeLeftovers,
  requestsOf,
  runStories,
  stories,
  type AssumptionStory,
  type Connection,
  type TokenName,
} from "../probe/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { withStatus } from "../progress/with-status.ts";
import { renderFindings, renderStories } from "../render/stories.ts";
import { counted } from "../render/text.ts";
import type { SettingFlags } from "../settings/names.ts";
import { sectionsSchema } from "../../core/settings/schema.ts";
import { readSettings } from "../support/read-settings.ts";
import { clientFor } from "../support/session.ts";
import { writeFiles } from "../support/write-files.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput, collect } from "./options.ts";
import {
  authorization,
  checkedBaseUrl,
  createTransport,
  proxyFor,
  systemClock,
} from "../../core/api/index.ts";
import type { Settings } from "../settings/index.ts";

/** Where tokens of a single scope may be. */
const tokenVariables: readonly { scope: TokenName; variable: string }[] = [
  { scope: "Read", variable: "INFRASYNC_PROBE_READ_TOKEN" },
  { scope: "Deploy", variable: "INFRASYNC_PROBE_DEPLOY_TOKEN" },
  { scope: "Write", variable: "INFRASYNC_PROBE_WRITE_TOKEN" },
];

/** The way of the probe to the server of the settings. */
function connectionFor(settings: Settings, console: Console, recorder?: Recorder): Connection {
  const { env, clock = systemClock, signal } = console.io;
  const baseUrl = checkedBaseUrl(settings);
  const proxy = proxyFor(baseUrl, env);
  const limits = { requestTimeout: 60_000, maxResponseSize: 64 * 1024 * 1024 };
  const scheme = settings.tokenScheme && { scheme: settings.tokenScheme };
  const transportWith = (token: string) => {
    console.hide(token);
    return createTransport({ ...limits, proxy, authorization: authorization({ token, ...scheme }) });
  };
  const transports = new Map<TokenName, ReturnType<typeof createTransport>>();
  transports.set("own", transportWith(settings.token));
  for (const { scope, variable } of tokenVariables) {
    const token = env[variable];
    if (token) transports.set(scope, transportWith(token));
  }
  return {
    baseUrl,
    transport: (name) => transports.get(name),
    clock,
    signal,
    ...(recorder && { onExchange: (exchange) => recorder.add(exchange) }),
  };
}

interface Flags extends SettingFlags {
  yes?: boolean;
  projectPrefix?: string;
  clean?: boolean;
  only?: string[];
  readOnly?: boolean;
  allowCost?: boolean;
  profile?: string;
  record?: string;
}

/** `infrasync probe`: checks what infrasync assumes about a server. */
export const probe: Command<[], Flags> = {
  examples: [
    "probe --project-prefix probe-",
    "probe --yes --project-prefix probe- --profile server.json",
    "probe --clean --project-prefix probe-",
    "probe --read-only",
  ],

  declare(line) {
    line
      .option("--yes", "run the stories; without it, the command shows which it would run, and sends nothing")
      .option(
        "--project-prefix <prefix>",
        "what the name of the throwaway project begins with, such as probe-",
      )
      .option("--only <story>", "run this story only; repeatable", collect)
      .option("--read-only", "run only stories that create nothing; they need no --yes")
      .option("--allow-cost", "also run stories that deploy something, which may cost money")
      .option("--profile <file>", "write a profile of the server to this file")
      .option(
        "--record <file>",
        "write what was sent and answered to this file, without ids, names and secrets",
      )
      .option("--clean", "remove what earlier runs have left behind");
    addConnection(line);
    addOutput(line);
    line.addHelpText(
      "after",
      `
For the story about scopes, tokens of a single scope may be in
${tokenVariables.map(({ variable }) => `  ${variable}`).join("\n")}.
docs/reference/assumptions.md explains the stories.`,
    );
  },

  async run({ flags, console }) {
    const chosen = choose(flags);
    const settings = await readSettings(flags, console, { problems: problemsIn(flags, chosen) });
    const { projectPrefix: prefix = "" } = flags;
    const isPlan = !flags.clean && !flags.yes && needsProject(chosen);
    if (isPlan) return showPlan(chosen, console);
    for (const file of [flags.profile, flags.record])
      if (file !== undefined) await ensureWritable(file, true);
    const client = clientFor(settings, console);
    const { id: organizationId } = await findOrganization(client, settings.organization);
    const recorder = flags.record === undefined ? undefined : new Recorder();
    const connection = connectionFor(settings, console, recorder);
    if (flags.clean) {
      return showCleaned(await removeLeftovers(connection, { organizationId, prefix }), console);
    }
    const result = await withStatus(console, (status) => {
      const onStory = ({ name }: AssumptionStory) => status.working(name);
      return runStories(connection, chosen, { organizationId, prefix, onStory });
    });
    const files = [
      [flags.profile, profileOf(result.told)],
      [flags.record, recorder?.recording],
    ] as const;
    await writeFiles(
      files.flatMap(([name, content]) =>
        name === undefined ? [] : [{ name, text: `${JSON.stringify(content, undefined, 2)}\n` }],
      ),
    );
    return showResult(result, flags, console, client.spent.total);
  },
};

/** The description of the server for a settings file. */
function settingsFor(told: Probed["told"]): string | undefined {
  const found = Object.entries(profileOf(told).server).filter(
    ([name, value]) => name in (sectionsSchema.properties?.["server"]?.properties ?? {}) && value,
  );
  if (found.length === 0) return undefined;
  return `server: { ${found.map(([name, value]) => `${name}: ${String(value)}`).join(", ")} }`;
}

function choose({ only, readOnly, allowCost }: Flags): readonly AssumptionStory[] {
  return stories
    .filter(({ name }) => only === undefined || only.includes(name))
    .filter(({ needs, costs }) => !(readOnly && needs !== "nothing") && (allowCost || !costs));
}

function problemsIn(
  { only = [], clean, projectPrefix, allowCost }: Flags,
  chosen: readonly AssumptionStory[],
): Problem[] {
  const problems: Problem[] = [];
  const argument = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  for (const name of only) {
    const story = stories.find((each) => each.name === name);
    if (!story)
      argument(
        `there is no story "${name}"`,
        `the stories are ${stories.map((each) => each.name).join(", ")}`,
      );
    else if (story.costs && !allowCost)
      argument(`${name} deploys something, which may cost money`, "add --allow-cost, or leave it out");
  }
  const needsPrefix = clean || needsProject(chosen);
  if (needsPrefix && !/^[a-z][a-z0-9-]{2,30}$/i.test(projectPrefix ?? ""))
    argument(
      projectPrefix === undefined
        ? "--project-prefix is missing"
        : `--project-prefix cannot be "${projectPrefix}"`,
      "write what the name of the throwaway project begins with, 3 to 31 letters, digits and hyphens: probe-",
    );
  return problems;
}

function showPlan(chosen: readonly AssumptionStory[], console: Console): number {
  const requests = requestsOf(chosen) + 1;
  if (console.json)
    console.document(
      outputOf("probe", {
        requests,
        stories: chosen.map(({ name, requests: most }) => ({ name, requests: most })),
        leftovers: [],
      }),
    );
  else {
    console.data(renderStories(chosen, console.dataColors));
    console.note(
      `\nAt most ${counted(requests, "request")}, in a throwaway project that is removed at the end. Nothing has been sent; add --yes to run them.`,
    );
  }
  return exitCodes.done;
}

function showCleaned(leftovers: readonly Leftover[], console: Console): number {
  const isClean = leftovers.every(({ reason }) => reason === undefined);
  if (console.json)
    console.document({ ...outputOf("probe", { requests: 0, stories: [], leftovers }), ok: isClean });
  else if (leftovers.length === 0) console.note("Nothing is left behind.");
  else
    for (const { noun, name, reason } of leftovers)
      console.data(
        reason === undefined ? `removed the ${noun} ${name}` : `not removed: the ${noun} ${name}: ${reason}`,
      );
  return isClean ? exitCodes.done : exitCodes.failed;
}

function showResult(
  { told, requests, left }: Probed,
  flags: Flags,
  console: Console,
  before: number,
): number {
  const isDone = left === undefined && told.some(({ result }) => result !== "not known");
  const all = requests + before;
  if (console.json)
    console.document({
      ...outputOf("probe", {
        requests: all,
        stories: told.map(({ story: { name, requests: most }, result, seen }) => ({
          name,
          requests: most,
          result,
          seen,
        })),
        leftovers: left ? [left] : [],
      }),
      ok: isDone,
    });
  else {
    console.data(renderFindings(told, console.dataColors, console.dataWidth));
    console.note(`\n${counted(all, "request")} sent.`);
    if (flags.profile !== undefined)
      console.note(`To run a server like this one: infrasync emulator --profile ${flags.profile}`);
    const choices = settingsFor(told);
    if (choices !== undefined) console.note(`Add this to infrasync.config.yaml: ${choices}`);
  }
  if (left)
    console.note(
      `The ${left.noun} ${left.name} is left behind: ${left.reason ?? ""}. To remove it: infrasync probe --clean --project-prefix ${flags.projectPrefix ?? ""}`,
    );
  return isDone ? exitCodes.done : exitCodes.failed;
}
