import type { ManifestDocument } from "../../core/manifest/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import type { Prepared } from "../support/wanted.ts";
import { exitCodes } from "../exit-codes.ts";
import type { ConsentFlags } from "../flags.ts";
import type { SettingFlags } from "../settings/names.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { addApplying, addConnection, addOutput, collect, runFormats } from "./options.ts";

interface Flags extends SettingFlags, ConsentFlags {
  to: string;
  name?: string;
  set?: string[];
  update?: boolean;
  dryRun?: boolean;
}

/** `infrasync clone`: clones a resource and prints the manifest of the clone. */
export const clone: Command<[kind: string, source: string], Flags> = {
  name: "clone",
  description: "Clone a resource, and print the manifest of the clone.",
  examples: [
    "clone job shop/production/migrate --to shop/staging --set cpu=250",
    "clone environment shop/production --to shop --name preview-42 --set mode=DEVELOPMENT --yes",
    "clone application shop/production/api --to shop/staging --dry-run > api.yaml",
  ],

  declare(line) {
    line
      .argument("<kind>", "kind of the resource, such as job")
      .argument("<source>", "resource to clone, such as shop/production/migrate")
      .requiredOption(
        "--to <reference>",
        "parent of the clone: an environment, or a project for the clone of an environment",
      )
      .option("--name <name>", "name of the clone (default: the name of the source)")
      .option(
        "--set <assignment>",
        "override a field of the clone, such as cpu=250 or source.image.tag=1.4.2; repeatable",
        collect,
      )
      .option("--update", "if a resource with that name exists, update it with the values of --set")
      .option("--dry-run", "show the plan and print the manifest of the clone; change nothing");
    addApplying(line);
    addConnection(line);
    addOutput(
      line,
      runFormats("text, one JSON document on standard output, or jsonl: a line of JSON for each event"),
    );
  },

  async run({ args: [kind, source], flags, console }) {
    const { cloneDocument } = await import("./clone/document.ts");
    const { cloneResult } = await import("./clone/result.ts");
    const { readSettings } = await import("../support/read-settings.ts");
    const { makeChange } = await import("../support/make-change.ts");
    const { prepareClone } = await import("./clone/prepare.ts");
    const { openSession } = await import("../support/session.ts");
    const { toDesired } = await import("../../core/manifest/index.ts");
    const { withStatus } = await import("../progress/with-status.ts");
    const { document, problems } = cloneDocument({ ...flags, kind, source });
    const unanswered = flags.dryRun ? [] : missingAnswer("clone", "--dry-run", flags, [], console);
    const settings = await readSettings(flags, console, { problems, unanswered });
    const [wanted] = toDesired(document ? [document] : []).resources;
    if (!document || !wanted) throw new InvalidInputError(problems);

    return withStatus(console, async (status) => {
      status.reading();
      const session = await openSession(settings, console, status);
      const prepared = await prepareClone(wanted, flags, settings, session);
      status.pause();
      if (flags.dryRun) return preview(document, prepared, console);
      const result = cloneResult(wanted, prepared, status);
      return makeChange({ ...prepared, canTarget: false, result }, { settings, flags, status, console });
    });
  },
};

/** Shows the plan and prints the manifest that requests the clone. */
async function preview(
  document: ManifestDocument,
  { proposal: { plan }, run }: Prepared,
  console: Console,
): Promise<number> {
  const { budget } = run.client;
  if (console.json) {
    const { manifestMembers } = await import("../../core/manifest/index.ts");
    const { outputOf } = await import("../../core/forms/index.ts");
    const { planJson } = await import("../render/json.ts");
    console.document(
      outputOf("run", { plan: planJson(plan, budget), documents: [manifestMembers(document)] }),
    );
  } else {
    const { manifestsText } = await import("../support/manifests-text.ts");
    const { renderPlan } = await import("../render/plan.ts");
    const { noteColors: colors, noteWidth: width } = console;
    console.note(await renderPlan(plan, { colors, budget, now: Date.now(), width }));
    console.data(manifestsText([document]));
  }
  return exitCodes.done;
}
