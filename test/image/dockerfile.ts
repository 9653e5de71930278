import { readFileSync } from "node:fs";

/** An instruction of a Dockerfile, such as `RUN`, and what follows it. */
export interface Instruction {
  name: string;
  text: string;
}

/** The instructions of each stage, the first of which is `FROM`. */
export function stagesOf(dockerfile: string): Instruction[][] {
  const instructions = dockerfile
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "", text = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, text };
    });
  return instructions.reduce<Instruction[][]>((stages, instruction) => {
    if (instruction.name === "FROM") stages.push([]);
    stages.at(-1)?.push(instruction);
    return stages;
  }, []);
}

/** The texts of the instructions with a name. */
export function textsOf(stage: readonly Instruction[], name: string): string[] {
  return stage.flatMap((each) => (each.name === name ? each.text : []));
}

/**
 * Whether an ignore file lets a file of the checkout through to the build: the last line that matches the file, or a folder around it,
 * decides.
 */
export function isLetThrough(file: string, ignoreFile: string): boolean {
  const parts = file.split("/");
  const places = parts.map((_part, index) => parts.slice(0, index + 1).join("/"));
  const deciding = ignoreFile
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .findLast((line) => {
      const pattern = line
        .replace(/^!/, "")
        .replaceAll(".", String.raw`\.`)
        .replaceAll("*", "[^/]*");
      return places.some((place) => new RegExp(`^${pattern}$`).test(place));
    });
  return deciding === undefined || deciding.startsWith("!");
}

/** The text of a file of examples/deploy. */
export function example(name: string): string {
  return readFileSync(new URL(`../../examples/deploy/${name}`, import.meta.url), "utf8");
}
