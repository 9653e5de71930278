import { dirname, resolve } from "node:path";
import type { Problem } from "../../core/problems/problem.ts";
import { checkFor } from "../../core/model/schema/check.ts";
import { durationOf } from "../../core/model/schema/duration.ts";
import { type DocumentMistake, type Path, quote } from "../../core/source/mistake.ts";
import { type EnvironmentScope, readEnvironmentScope } from "../../core/model/addresses/scope.ts";
import { declaredFormats } from "../declaration-formats.ts";
import { mistakeAt, readDeclared, type DeclarationForm } from "../declaration-file.ts";
import { checks } from "./checks/index.js";
import { type EntryType, repeatable } from "../journal/index.ts";
import { type NotificationFormat, placeholders } from "./message.ts";
import { routesSchema, type DeclaredNotifications } from "./routes-schema.ts";

/** Milliseconds until a lasting state is reported again; absent: never. */
export type Repeats = ReadonlyMap<EntryType, number>;

/** The receiver of some events; an absent member limits nothing. */
export interface RouteRules {
  format: NotificationFormat;
  /** The text of each event, with placeholders. */
  template?: string | undefined;
  environments?: readonly EnvironmentScope[] | undefined;
  events?: readonly EntryType[] | undefined;
}

/** A route in the file. */
export interface DeclaredRoute extends RouteRules {
  urlFile: string;
  secretFile?: string | undefined;
}

const form: DeclarationForm<DeclaredNotifications> = {
  name: "file of notifications",
  example: "routes",
  check: checkFor({ made: checks["Routes"], schema: () => routesSchema, formats: declaredFormats }),
  formats: declaredFormats,
  senseless({ routes = [], repeat_after: repeats = {} }) {
    return [
      ...routes.flatMap((route, index) => templateMistakes(["routes", index, "template"], route)),
      ...Object.keys(repeats)
        .filter((event) => !repeatable.some((each) => each === event))
        .map((event) => ({
          path: ["repeat_after", event],
          at: "key" as const,
          message: `${quote(event)} is an event, not a lasting state`,
          advice: `write one of ${repeatable.join(", ")}`,
        })),
    ];
  },
};

type FileRoute = NonNullable<DeclaredNotifications["routes"]>[number];

/** Reads the text of a file of notifications. @param file its name, also in messages */
export function readRoutes(
  text: string,
  file: string,
): { routes: DeclaredRoute[]; repeats: Repeats; problems: Problem[] } {
  const { value = {}, problems } = readDeclared(text, file, form);
  const { routes = [], repeat_after: repeats = {} } = value;
  const folder = dirname(resolve(file));
  return {
    routes: routes.map((each, index) => routeIn(each, folder, `routes[${index}].environments of ${file}`)),
    repeats: new Map(
      repeatable.flatMap((event): [EntryType, number][] => {
        const after = durationOf(repeats[event] ?? "");
        return after === undefined ? [] : [[event, after]];
      }),
    ),
    problems,
  };
}

/** @param member the name of its member with patterns, in words */
function routeIn(route: FileRoute, folder: string, member: string): DeclaredRoute {
  const {
    url_file: urlFile,
    secret_file: secretFile,
    format = "json",
    template,
    environments,
    events,
  } = route;
  return {
    urlFile: resolve(folder, urlFile),
    secretFile: secretFile === undefined ? undefined : resolve(folder, secretFile),
    format,
    template,
    environments: environments
      ?.map((text) => readEnvironmentScope(text, { member }))
      .filter((pattern) => "matches" in pattern),
    events,
  };
}

function templateMistakes(path: Path, { template, format }: FileRoute): DocumentMistake[] {
  if (template === undefined) return [];
  if (format !== "slack")
    return [mistakeAt(path, "a template needs format: slack", "write format: slack beside it")];
  const known = placeholders.map((name) => `{${name}}`);
  const unknown = (template.match(/\{\w+\}/g) ?? []).find((each) => !known.includes(each));
  return unknown === undefined
    ? []
    : [mistakeAt(path, `the template has ${quote(unknown)}`, `write one of ${known.join(", ")}`)];
}
