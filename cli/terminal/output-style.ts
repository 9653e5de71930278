/** The output style of a run. It is read before the arguments are parsed, because errors of parsing use it too. */
export interface OutputStyle {
  /** JSON, also as lines. */
  json: boolean;
  jsonLines: boolean;
  /** Undefined: decided by the terminal and the environment. */
  color: boolean | undefined;
}

/** Reads `--output` and `--color` from arguments that may contain mistakes. */
export function outputStyle(args: readonly string[]): OutputStyle {
  const end = args.indexOf("--");
  const flags = end === -1 ? args : args.slice(0, end);
  const outputs = flags.flatMap((flag, index) =>
    flag === "--output" || flag === "-o"
      ? [flags[index + 1]]
      : (/^(?:--output=|-o)(.+)$/s.exec(flag)?.slice(1) ?? []),
  );
  const color = flags.findLast((flag) => flag === "--color" || flag === "--no-color");
  const output = outputs.at(-1);
  const jsonLines = output === "jsonl";
  return {
    json: output === "json" || jsonLines,
    jsonLines,
    color: color === undefined ? undefined : color === "--color",
  };
}
