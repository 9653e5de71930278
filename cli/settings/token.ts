import { readFile } from "../../core/source/read.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Console } from "../terminal/console.ts";
import { codeOf } from "../../core/values/error-code.ts";

/** The token from `INFRASYNC_TOKEN` or the file of `INFRASYNC_TOKEN_FILE`; undefined adds a problem. */
export async function readToken(console: Console, problems: Problem[]): Promise<string | undefined> {
  const { INFRASYNC_TOKEN: token, INFRASYNC_TOKEN_FILE: file } = console.io.env;
  if (token) return token;
  const read = file ? await readTokenFile(file, console.io.signal) : missing;
  if (typeof read !== "string") {
    problems.push(read);
    return undefined;
  }
  console.hide(read);
  return read;
}

const missing: Problem = {
  code: "setting",
  message: "no token is set",
  advice:
    "set INFRASYNC_TOKEN to an API token of the organization, or INFRASYNC_TOKEN_FILE to a file that holds one",
};

async function readTokenFile(file: string, signal: AbortSignal): Promise<string | Problem> {
  // The path is not shown, because it may be the token itself, put there by mistake.
  const what = "the file that INFRASYNC_TOKEN_FILE names";
  try {
    const content = await readFile(file, signal);
    if (content === undefined)
      return { code: "setting", message: `${what} is too large`, advice: "correct the path" };
    const token = Buffer.from(content).toString().trim();
    return token === ""
      ? { code: "setting", message: `${what} is empty`, advice: "put the token into it" }
      : token;
  } catch (error) {
    const code = codeOf(error) ?? "unknown";
    return { code: "setting", message: `${what} cannot be read (${code})`, advice: "correct the path" };
  }
}
