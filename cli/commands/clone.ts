import type { ManifestDocument } from "../../core/manifest/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import type { Prepared } from "../change.ts";
import { exitCodes } from "../exit-codes.ts";
import type { ConsentFlags } from "../flags.ts";
import type { SettingFlags } from "../settings/names.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { addApplying, addConnection, addOutput, collect } from "./options.ts";

interface Flags extends SettingFlags, ConsentFlags {
  to: string;
  name?: string;
  set?: string[];
  update?: boolean;
  dryRun?: boolean;
}

/** `infrasync clone`: clones one resource, and gives the manifest that describes the clone. */
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
      .argument("<kind>", "what it is, such as job")
      .argument("<source>", "what to clone, such as shop/production/migrate")
      .requiredOption(
        "--to <reference>",
        "where the clone goes: an environment, for an environment its project",
      )
      .option("--name <name>", "name of the clone (default: that of its source)")
      .option(
        "--set <assignment>",
        "what is to differ, such as cpu=250 or source.image.tag=1.4.2; repeatable",
        collect,
      )
      .option("--update", "where a resource of that name exists, change it as --set says")
      .option("--dry-run", "change nothing: show the plan, and print the manifest that would make the clone");
    addApplying(line);
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [kind, source], flags, console }) {
    const engine = await import("../engine/index.ts");
    const { document, problems } = engine.cloneDocument({ ...flags, kind, source });
    const unanswered = flags.dryRun ? [] : missingAnswer("clone", "--dry-run", flags, [], console);
    const settings = await engine.readSettings(flags, console, problems, unanswered);
    const [wanted] = engine.toDesired(document ? [document] : []).resources;
    if (!document || !wanted) throw new InvalidInputError(problems);

    return engine.withStatus(console, async (status) => {
      status.working("reading what is live");
      const prepared = await engine.prepareClone(wanted, flags, settings, console, status);
      status.pause();
      if (flags.dryRun) return preview(document, prepared, console);
      const { plan, operations } = prepared;
      const result = {
        requests: engine.dumpCost(wanted.address),
        async read() {
          status.working(`reading ${engine.title(wanted.address)}`);
          // What the server has made of it counts, not what it has answered.
          const afresh = { client: operations.client, live: new engine.LiveStore() };
          const { documents } = await engine.dump(afresh, plan.organization, wanted.address);
          status.pause();
          return {
            text: engine.manifestsText(documents),
            json: { documents: documents.map(engine.manifestMembers) },
          };
        },
      };
      return engine.makeChange(
        { ...prepared, canTarget: false, result },
        { settings, flags, status, console },
      );
    });
  },
};

/** Shows what would be done, and gives the manifest that asks for it. */
async function preview(
  document: ManifestDocument,
  { plan, operations }: Prepared,
  console: Console,
): Promise<number> {
  const { manifestMembers, manifestsText, planJson, renderPlan } = await import("../engine/index.ts");
  const { budget } = operations.client;
  if (console.json) {
    console.document({ ok: true, plan: planJson(plan, budget), documents: [manifestMembers(document)] });
  } else {
    console.note(renderPlan(plan, { colors: console.noteColors, budget, now: Date.now() }));
    console.data(manifestsText([document]));
  }
  return exitCodes.done;
}
