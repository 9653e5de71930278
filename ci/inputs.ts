import type { Command } from "commander";

/** Inputs that are tokens: they go into variables, never into arguments. */
export const tokenInputs: Readonly<Record<string, string>> = {
  token: "INFRASYNC_TOKEN",
  "git-host-token": "INFRASYNC_GIT_HOST_TOKEN",
};

/** The command line for the inputs of a step, such as `INPUT_MAX-DELETES`. A repeatable flag takes a line for each value. */
export function stepCommand(
  line: Command,
  env: Readonly<Record<string, string | undefined>>,
): { args: string[]; env: Record<string, string> } {
  const input = (name: string) => (env[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] ?? "").trim();
  const lines = (text: string) => text.split("\n").flatMap((each) => each.trim() || []);
  const flags = line.options.flatMap(({ long, required, parseArg }) => {
    const given = input(long?.slice(2) ?? "");
    if (long === undefined || given === "") return [];
    // Written as one argument, so that a value that begins with a dash is a value.
    if (required) return (parseArg ? lines(given) : [given]).map((value) => `${long}=${value}`);
    return ["true", "yes", "1"].includes(given.toLowerCase()) ? [long] : [];
  });
  const tokens = Object.entries(tokenInputs).flatMap(([name, variable]) => {
    const given = input(name);
    return given === "" ? [] : [[variable, given] as const];
  });
  return {
    args: [input("mode") || "plan", ...flags, "--", ...lines(input("path"))],
    env: Object.fromEntries(tokens),
  };
}
