import { urlMistake } from "../../adapters/database/url.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Console } from "../terminal/console.ts";
import { readSecretText } from "./secret-text.ts";

const variable = "INFRASYNC_DATABASE";

/** Reads the URL of the database; undefined if there is none. Adds mistakes to `problems`. */
export async function readDatabase(
  { database: given }: { database?: string },
  console: Console,
  problems: Problem[],
): Promise<string | undefined> {
  const text = given ?? (await readSecretText(variable, console));
  if (text === undefined) return undefined;
  const mistake = urlMistake(text);
  const refuse = (message: string, advice: string): undefined =>
    void problems.push({ code: "argument", message, advice });
  if (mistake !== undefined) return refuse(`the URL of the database is ${mistake}`, "correct it");
  const url = new URL(text);
  if (given !== undefined && url.password !== "")
    return refuse(
      "the URL in --database has a password, and everybody on the machine can read arguments",
      `set ${variable}, or ${variable}_FILE to a file that contains the URL`,
    );
  return text;
}
