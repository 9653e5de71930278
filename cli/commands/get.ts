import { InvalidInputError } from "../../core/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";

/** `infrasync get`: shows one live resource as a whole. */
export const get: Command<[address: string], SettingFlags> = {
  name: "get",
  description: "Show one live resource as a whole: every field, variables, id and status.",
  examples: [
    "get job:shop/production/migrate",
    "get shop/production",
    "get shop/production/api --output json",
  ],

  declare(line) {
    line.argument("<address>", "what to show: shop, shop/production, job:shop/production/migrate");
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [text], flags, console }) {
    const engine = await import("../engine/index.ts");
    const { readWhole } = await import("../../core/inspect/index.ts");
    const { withStatus } = await import("../progress/with-status.ts");
    const choice = engine.chooseOne(text);
    const settings = await engine.readSettings(flags, console, "problem" in choice ? [choice.problem] : []);
    if ("problem" in choice) throw new InvalidInputError([choice.problem]);
    const { resource, client } = await withStatus(console, async (line) => {
      line.working("reading live resources");
      const { operations, organization } = await engine.openSession(settings, console, line);
      const address = await choice.find(operations, organization);
      return { client: operations.client, resource: await readWhole(operations, organization, address) };
    });
    if (console.json) {
      const { encodeResource } = await import("../../core/codec/index.ts");
      console.document({ ok: true, ...encodeResource(resource, client.spent.total, client.budget) });
    } else {
      const { renderResource } = await import("../render/resources.ts");
      console.data(renderResource(resource));
    }
    return exitCodes.done;
  },
};
