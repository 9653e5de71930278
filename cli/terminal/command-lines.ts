/** A long command line as lines that a shell reads as one, broken between words, and never between a flag and its value. */
export function brokenCommand(line: string, width: number): string {
  const [start = ""] = /^ */.exec(line) ?? [];
  const words = line.match(/(?:--[a-z-]+ (?!-))?(?:\\.|'[^']*'|"[^"]*"|[^ '"\\])+/g) ?? [];
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(start + word);
    else if (last.length + word.length + 3 <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.splice(-1, 1, `${last} \\`, `${start}    ${word}`);
  }
  return lines.join("\n");
}
