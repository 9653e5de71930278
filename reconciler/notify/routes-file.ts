import { dirname, resolve } from "node:path";
import { type Fields, isFields, own, textIn } from "../../core/json.ts";
import type { Problem } from "../../core/problem.ts";
import { checkFor } from "../../core/schema/check.ts";
import { durationOf } from "../../core/schema/duration.ts";
import { plainFormats } from "../../core/schema/formats.ts";
import { type DocumentMistake, quote } from "../../core/source/mistake.ts";
import { mappingsIn, patternMistakes, readOperatorFile, textsIn } from "../operator-file.ts";
import { type EnvironmentPattern, readEnvironmentPattern } from "../policy/index.ts";
import { checks } from "./checks/index.js";
import { newsEvents, type NewsEvent, repeatable, type Repeats } from "./events.ts";
import { type NotificationFormat, placeholders } from "./message.ts";
import { routesSchema } from "./routes-schema.ts";

/** The receiver of some kinds of news; an absent member limits nothing. */
export interface RouteRules {
  format: NotificationFormat;
  /** The text of each piece of news, with placeholders. */
  template?: string;
  environments?: readonly EnvironmentPattern[];
  events?: readonly NewsEvent[];
}

/** A route as the file states it. */
export interface StatedRoute extends RouteRules {
  urlFile: string;
  secretFile?: string;
}

const check = checkFor({ made: checks["Routes"], schema: () => routesSchema, formats: plainFormats });

/** Reads the text of a file of notifications. @param file its name, also in messages */
export function readRoutes(
  text: string,
  file: string,
): { routes: StatedRoute[]; repeats: Repeats; problems: Problem[] } {
  const form = { name: "file of notifications", example: "routes", check, senseless };
  const { value, problems } = readOperatorFile(text, file, form);
  if (!value) return { routes: [], repeats: new Map(), problems };
  const folder = dirname(resolve(file));
  return {
    routes: mappingsIn(value, "routes").map((each, index) =>
      routeIn(each, folder, `routes[${index}].environments of ${file}`),
    ),
    repeats: repeatsIn(value),
    problems,
  };
}

/** @param environments its member with patterns, in words */
function routeIn(route: Fields, folder: string, environments: string): StatedRoute {
  const [secretFile, template] = ["secret_file", "template"].map((member) => textIn(route, member));
  const states = (member: string) => own(route, member) !== undefined;
  return {
    urlFile: resolve(folder, textIn(route, "url_file") ?? ""),
    format: textIn(route, "format") === "slack" ? "slack" : "json",
    ...(secretFile !== undefined && { secretFile: resolve(folder, secretFile) }),
    ...(template !== undefined && { template }),
    ...(states("environments") && {
      environments: textsIn(route, "environments")
        .map((text) => readEnvironmentPattern(text, { member: environments }))
        .filter((pattern) => "matches" in pattern),
    }),
    ...(states("events") && { events: newsEvents.filter((each) => textsIn(route, "events").includes(each)) }),
  };
}

function repeatsIn(value: Fields): Repeats {
  const stated = own(value, "repeat_after");
  return new Map(
    repeatable.flatMap((event): [NewsEvent, number][] => {
      const after = isFields(stated) ? durationOf(textIn(stated, event) ?? "") : undefined;
      return after === undefined ? [] : [[event, after]];
    }),
  );
}

function senseless(value: Fields): DocumentMistake[] {
  const mistakes = mappingsIn(value, "routes").flatMap((route, index) => [
    ...patternMistakes(["routes", index], route),
    ...templateMistakes(["routes", index, "template"], route),
  ]);
  const stated = own(value, "repeat_after");
  for (const event of isFields(stated) ? Object.keys(stated) : [])
    if (!repeatable.some((each) => each === event))
      mistakes.push({
        path: ["repeat_after", event],
        at: "key",
        message: `${quote(event)} does not last`,
        advice: `write one of ${repeatable.join(", ")}`,
      });
  return mistakes;
}

function templateMistakes(path: DocumentMistake["path"], route: Fields): DocumentMistake[] {
  const template = textIn(route, "template");
  if (template === undefined) return [];
  const refuse = (message: string, advice: string) => [{ path, at: "value" as const, message, advice }];
  if (textIn(route, "format") !== "slack")
    return refuse("a template is for texts", "write format: slack beside it");
  const known = placeholders.map((name) => `{${name}}`);
  const unknown = (template.match(/\{\w+\}/g) ?? []).find((each) => !known.includes(each));
  return unknown === undefined
    ? []
    : refuse(`the template has ${quote(unknown)}`, `write one of ${known.join(", ")}`);
}
