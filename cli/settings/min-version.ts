import type { Problem } from "../../core/problems/problem.ts";
import { gte, valid } from "semver";
import type { PlacedValue } from "../../core/source/environments.ts";
import { escapeControl } from "../../core/values/text.ts";
import { packageVersion } from "../version.ts";

/** The problem of a settings file that wants a newer version than this one, or no version at all; none where this one will do. */
export function tooOld({ value, positionOf }: PlacedValue, present = packageVersion()): Problem[] {
  const position = positionOf([]);
  const minimum = typeof value === "string" ? valid(value) : null;
  if (minimum === null)
    return [
      {
        code: "setting",
        message: "min_version is not a version",
        advice: "write all three numbers, such as min_version: 0.1.0",
        position,
      },
    ];
  if (gte(present, minimum)) return [];
  return [
    {
      code: "setting",
      message: `this is infrasync ${present}, and the settings file requires ${escapeControl(minimum)} or newer`,
      advice: "install that version: an older one may read these manifests differently",
      position,
    },
  ];
}
