import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The sources in Git: neither tests nor examples. Git has no generated files. */
export function sourceFiles(checkout: string): string[] {
  return execFileSync("git", ["ls-files", "*.ts"], { cwd: checkout, encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && !/^(?:test|examples)\//.test(file))
    .filter((file) => existsSync(path.join(checkout, file)));
}

/** The room of a file: its folder, at most two levels deep: `core/planning/plan`, `tools`. */
export function roomOf(file: string): string {
  return path.posix.dirname(file).split("/").slice(0, 2).join("/");
}

export function linesByRoom(checkout: string): Record<string, number> {
  const rooms: Record<string, number> = {};
  for (const file of sourceFiles(checkout)) {
    const lines = readFileSync(path.join(checkout, file), "utf8").split("\n").length - 1;
    rooms[roomOf(file)] = (rooms[roomOf(file)] ?? 0) + lines;
  }
  return rooms;
}
