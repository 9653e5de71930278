import { existsSync } from "node:fs";
import { outputOf } from "../../core/forms/index.ts";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { findFiles, settingsFileName } from "../../core/source/files.ts";
import { readFile } from "../../core/source/read.ts";
import { decodeText } from "../../core/source/text.ts";
import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import { placeOf } from "../render/problems.ts";
import { counted } from "../render/text.ts";
import type { Command } from "./command.ts";
import { addConfig, addOutput } from "./options.ts";
import { play } from "./test/play.ts";
import { readStories, type Story } from "./test/story.ts";

/** `infrasync test`: plays stories against emulators of its own. */
export const test: Command<[files: string[]], { config?: string }> = {
  examples: ["test stories", "test stories/policies.yaml --output json"],

  declare(line) {
    line.argument("<files...>", "files with stories, and folders with such files").addHelpText(
      "after",
      `
A story is a YAML document: story (its name), documents or sources, live
(documents) or seed, and expect with plan, refused or notes. The policies and
environments are those of infrasync.config.yaml in the working directory.`,
    );
    addConfig(line);
    addOutput(line);
  },

  async run({ args: [files], flags, console }) {
    const stories = await readAll(files);
    const config = flags.config ?? (existsSync(settingsFileName) ? settingsFileName : undefined);
    const played = [];
    for (const story of stories) {
      if (console.io.signal.aborted) break;
      const differences = await play(story, config, console);
      played.push({ story, differences });
      if (console.json) continue;
      const { green, red } = console.dataColors;
      const { position, name } = story;
      console.data(
        differences.length === 0
          ? `${green("ok")}    ${escapeControl(name)}`
          : [
              `${red("wrong")} ${placeOf(position)}${escapeControl(name)}`,
              ...differences.map((each) => `        ${escapeControl(each)}`),
            ].join("\n"),
      );
    }
    const wrong = played.filter(({ differences }) => differences.length > 0).length;
    if (console.json)
      console.document({
        ...outputOf("stories", {}),
        ok: wrong === 0,
        stories: played.map(({ story: { name, position }, differences }) => ({
          name,
          file: position.file,
          line: position.line,
          differences,
        })),
      });
    else
      console.data(
        `\n${counted(played.length, "story")}: ${wrong === 0 ? "all as expected" : `${wrong} not as expected`}.`,
      );
    return wrong === 0 && played.length === stories.length ? exitCodes.done : exitCodes.failed;
  },
};

/** The stories of all files. @throws InvalidInputError with all mistakes */
async function readAll(named: readonly string[]): Promise<Story[]> {
  const problems: Problem[] = [];
  const stories: Story[] = [];
  for (const { files, problems: found } of named.map((name) => findFiles(name, {}))) {
    problems.push(...found);
    for (const { name, realPath } of files) {
      const content = await readFile(realPath);
      const decoded = content && decodeText(content);
      if (!decoded || !("text" in decoded)) {
        const message = `${escapeControl(name)} ${decoded ? decoded.mistake.message : "is too large"}`;
        problems.push({ code: "unreadable", message, advice: "name a file with stories" });
        continue;
      }
      const read = readStories(decoded.text, name);
      stories.push(...read.stories);
      problems.push(...read.problems);
    }
  }
  if (problems.length === 0 && stories.length === 0)
    problems.push({
      code: "nothing_found",
      message: `no stories found in ${named.map(escapeControl).join(", ")}`,
      advice: "write documents with story: NAME and expect: { plan: […] }",
    });
  if (problems.length > 0) throw new InvalidInputError(problems);
  return stories;
}
