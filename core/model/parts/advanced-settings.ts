import { path } from "../../api/index.ts";
import type { Json } from "../../values/json.ts";
import { anything, keyed } from "../schema/field.ts";
import { quote } from "../../source/mistake.ts";
import { capitalized } from "../../values/text.ts";
import { type MembersPart, membersPart } from "./members.ts";
import type { Part } from "./part.ts";

const names = {
  pattern: String.raw`^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$`,
  message: "cannot be the name of a setting",
  advice: "write a name such as build.timeout_max_sec, with its dots, as one key",
};

const schema = keyed(
  names,
  anything("Value, of the type that its default has. `null` gives it its default."),
  "Advanced settings by their names, such as `build.timeout_max_sec`; only those that are declared are changed.",
);

/** The settings with a choice of values. Source: the description of the API, because its defaults do not tell. */
const choices: Readonly<Record<string, readonly string[]>> = {
  // Misspelt in the API.
  "deployment.antiaffinity.pod": ["Preferred", "Requirred"],
  "deployment.topology_spread.zone": ["Disabled", "ScheduleAnyway", "DoNotSchedule"],
  "deployment.update_strategy.type": ["RollingUpdate", "Recreate"],
};

/** The advanced settings of a resource; `type` is as in paths: `application`. */
export function advancedSettings(
  type: string,
  pathOf: MembersPart["pathOf"] = (id) => path`/${type}/${id}/advancedSettings`,
): Part {
  return membersPart({
    name: "advanced setting",
    member: "advanced_settings",
    pathOf,
    schema,
    defaultsPath: path`/default${capitalized(type)}AdvancedSettings`,
    mistakeIn(name, value: Json) {
      const allowed = Object.hasOwn(choices, name) ? choices[name] : undefined;
      if (!allowed || value === null || (typeof value === "string" && allowed.includes(value)))
        return undefined;
      const given = typeof value === "string" ? quote(value) : JSON.stringify(value);
      return {
        message: `${name} must be one of ${allowed.join(", ")}, not ${given}`,
        advice: `write one of ${allowed.join(", ")}`,
      };
    },
  });
}
