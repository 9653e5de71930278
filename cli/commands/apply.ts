import { exitCodes } from "../exit-codes.ts";
import { CommandError } from "../command-error.ts";
import type { ConsentFlags, PlanFlags, WaitFlags } from "../flags.ts";
import { ensureAnswer, missingAnswer } from "../terminal/ask.ts";
import type { Command, Given, GivenFlag } from "./command.ts";
import {
  addApplying,
  addCommands,
  addConnection,
  addOutput,
  addPlanning,
  addSet,
  addSources,
  addWaiting,
  planGroups,
  runFormats,
} from "./options.ts";

interface Flags extends PlanFlags, ConsentFlags, WaitFlags {
  plan?: string;
  expect?: string;
  output?: "text" | "json" | "jsonl" | "markdown" | "html";
}

/** `infrasync apply`: carries out the plan for the manifests, or a saved plan. */
export const apply: Command<[sources: string[]], Flags> = {
  name: "apply",
  description: "Change live resources to match the manifests.",
  examples: [
    "apply manifests",
    "apply --plan plan.json --yes",
    'apply manifests --yes --expect "$DIGEST_OF_THE_REVIEWED_PLAN"',
  ],

  declare(line) {
    addSources(line);
    addSet(line);
    line
      .option("--plan <file>", "apply a saved plan exactly as it is")
      .option("--expect <digest>", "apply only if the plan has this digest: it does what was reviewed");
    addPlanning(line);
    addApplying(line);
    addCommands(line);
    addWaiting(line, "wait until the deployments are over; exit with 1 when one fails");
    addConnection(line);
    addOutput(
      line,
      runFormats(
        "text, one JSON document on standard output, jsonl: a line of JSON for each event, or the plan and what became of it as Markdown or as one HTML file",
        "markdown",
        "html",
      ),
    );
  },

  async run(all) {
    const {
      args: [sources],
      flags,
      console,
    } = all;
    if (flags.plan !== undefined) return applySaved(flags.plan, all);
    if (flags.wait && !flags.deploy) throw nothingToWaitFor();
    const { makeChange } = await import("../support/make-change.ts");
    const { openSession } = await import("../support/session.ts");
    const { proposeWanted } = await import("../support/wanted.ts");
    const { readInputs } = await import("../support/inputs.ts");
    const { withStatus } = await import("../progress/with-status.ts");
    const unanswered = missingAnswer("apply", "infrasync plan", flags, sources, console);
    const { settings, ...wanted } = await readInputs(sources, flags, console, unanswered);
    return withStatus(console, async (status) => {
      status.reading();
      const session = await openSession(settings, console, status, flags);
      const prepared = await proposeWanted("reconcile", wanted, session);
      status.pause();
      const expected = flags.expect === undefined ? {} : { expected: flags.expect.trim().toLowerCase() };
      return makeChange({ ...prepared, ...expected, canTarget: true }, { settings, flags, status, console });
    });
  },
};

function nothingToWaitFor(): CommandError {
  return new CommandError("usage", exitCodes.invalid, {
    message: "--wait needs --deploy: without it, there is no deployment to wait for",
    advice: "add --deploy",
  });
}

async function applySaved(
  file: string,
  { args: [sources], flags, given, console }: Given<[sources: string[]], Flags>,
): Promise<number> {
  refuseBeside(sources, given);
  const { makeChange } = await import("../support/make-change.ts");
  const { prepareSavedPlan, usedOnce } = await import("./apply/saved-plan.ts");
  const { readSettings } = await import("../support/read-settings.ts");
  const { placesOf } = await import("../support/plan-origin.ts");
  const { readAnyPlan, readPlan } = await import("../../core/forms/saved-plan/index.ts");
  const { withStatus } = await import("../progress/with-status.ts");
  const { origin } = await readAnyPlan(file);
  const { notes, ...places } = placesOf(file, origin);
  const { maxDeletes } = origin;
  const stated = { ...flags, ...(maxDeletes !== undefined && { maxDeletes }) };
  const settings = await readSettings(stated, console, places);
  const saved = await readPlan(file, settings.baseUrl);
  ensureAnswer("apply", flags, console);
  for (const note of notes) console.note(note);
  return withStatus(console, async (status) => {
    status.reading();
    const prepared = await prepareSavedPlan(file, saved, { settings, flags }, console, status);
    status.pause();
    const record = usedOnce(file, saved, console);
    return makeChange({ ...prepared, record, canTarget: false }, { settings, flags, status, console });
  });
}

/** A saved plan says itself what it is made of: sources and flags that say it too would have no effect, so they are errors. */
function refuseBeside(sources: readonly string[], given: readonly GivenFlag[]): void {
  const groups = Object.values(planGroups);
  const flags = given.filter(({ name, group }) => groups.includes(group) && name !== "--plan");
  const beside = [...sources, ...flags.map(({ name }) => name)];
  if (beside.length === 0) return;
  throw new CommandError("usage", exitCodes.invalid, {
    message: `--plan applies a saved plan exactly as it is; it cannot be combined with ${beside.join(", ")}`,
    advice: "use these with infrasync plan, when you make the plan",
  });
}
