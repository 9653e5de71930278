import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";

/** A stack trace with the places of the sources, where a source map beside a file of the bundle, or in the single executable, knows them. */
export function sourceStack(stack: string): string {
  return stack.replaceAll(
    /(file:\/\/\S+?\.js|\bmain\.js):(\d+):(\d+)/g,
    (place, file: string, line: string, column: string) =>
      sourceOf(file, Number(line), Number(column)) ?? place,
  );
}

function sourceOf(file: string, line: number, column: number): string | undefined {
  let map: SourceMap;
  try {
    map = new SourceMap(JSON.parse(mapOf(file)) as SourceMapPayload);
  } catch {
    // There is none beside the sources themselves.
    return undefined;
  }
  const entry = map.findEntry(line - 1, column - 1);
  if (!("originalSource" in entry)) return undefined;
  const { originalSource, originalLine, originalColumn } = entry;
  return `${originalSource.replace(/^(?:\.\.\/)+/, "")}:${originalLine + 1}:${originalColumn + 1}`;
}

/** The files of a single executable are no URLs: they are within it. */
function mapOf(file: string): string {
  return file.startsWith("file:")
    ? readFileSync(`${fileURLToPath(file)}.map`, "utf8")
    : process.getBuiltinModule("node:sea").getAsset(`${file}.map`, "utf8");
}
