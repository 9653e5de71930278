import type { Problem } from "../../core/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { factOf, facts } from "./facts.ts";
import { addConnection, addOutput } from "./options.ts";

/** `infrasync list`: shows a table of live resources. */
export const list: Command<[patterns: string[]], SettingFlags> = {
  name: "list",
  description: "List live resources with their kind, name, state, cluster and age.",
  examples: ["list", "list shop/production/**", "list 'job:shop/**' --output json", "list invoices"],

  declare(line) {
    line.argument(
      "[patterns...]",
      `addresses and patterns of live resources, such as shop/production or 'job:shop/**' (default: everything); or ${facts.join(", ")}`,
    );
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [patterns], flags, console }) {
    const [word = "", second] = patterns;
    const fact = second === undefined ? factOf(word) : undefined;
    if (fact) {
      const { showFacts } = await import("../engine/show-facts.ts");
      return showFacts(fact, flags, console);
    }
    const { readSettings } = await import("../engine/read-settings.ts");
    const { openSession } = await import("../engine/session.ts");
    const { listResources } = await import("../../core/inspect/index.ts");
    const { readPattern } = await import("../settings/patterns.ts");
    const { withStatus } = await import("../progress/with-status.ts");
    const problems: Problem[] = [];
    const texts = patterns.length === 0 ? ["**"] : patterns;
    const read = texts.flatMap((text) => readPattern(text, problems));
    const settings = await readSettings(flags, console, { problems });
    const { resources, client } = await withStatus(console, async (line) => {
      line.reading();
      const { operations, organization } = await openSession(settings, console, line);
      return {
        client: operations.client,
        resources: await listResources(operations, organization, read),
      };
    });
    if (console.json) {
      const { encodeList } = await import("../../core/codec/index.ts");
      console.document({ ok: true, ...encodeList(resources, client.spent.total, client.budget) });
    } else {
      const { renderList } = await import("../render/resources.ts");
      console.data(renderList(resources, client, console.dataColors, Date.now()));
    }
    return exitCodes.done;
  },
};
