/** How a run writes: known before its arguments are understood, as it also holds for the errors in them. */
export interface OutputStyle {
  json: boolean;
  /** Undefined: as the terminal and the environment say. */
  color: boolean | undefined;
}

/** Reads `--output` and `--color` from arguments that may be wrong otherwise. */
export function outputStyle(args: readonly string[]): OutputStyle {
  const end = args.indexOf("--");
  const flags = end === -1 ? args : args.slice(0, end);
  const outputs = flags.flatMap((flag, index) =>
    flag === "--output" || flag === "-o"
      ? [flags[index + 1]]
      : (/^(?:--output=|-o)(.+)$/s.exec(flag)?.slice(1) ?? []),
  );
  const color = flags.findLast((flag) => flag === "--color" || flag === "--no-color");
  return { json: outputs.at(-1) === "json", color: color === undefined ? undefined : color === "--color" };
}
