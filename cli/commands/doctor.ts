import { exitCodes } from "../exit-codes.ts";
import type { SettingFlags } from "../settings/names.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput } from "./options.ts";

/** `infrasync doctor`: examines settings, server, token and quota. */
export const doctor: Command<[], SettingFlags> = {
  name: "doctor",
  description:
    "Check settings, proxy, server, token, organization, quota and clock, and say what to do. Sends one request.",
  examples: ["doctor", "doctor --output json"],

  declare(line) {
    addConnection(line);
    addOutput(line);
  },

  async run({ flags, console }) {
    const { examine } = await import("./doctor/doctor.ts");
    const checks = await examine(flags, console);
    const isWell = checks.every(({ status }) => status === "ok" || status === "warning");
    if (console.json) {
      const { outputOf } = await import("../../core/forms/index.ts");
      console.document({ ...outputOf("diagnosis", { checks }), ok: isWell });
    } else {
      const { renderChecks } = await import("../render/checks.ts");
      console.data(renderChecks(checks, console.dataColors, console.dataWidth));
    }
    return isWell ? exitCodes.done : exitCodes.failed;
  },
};
