import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { infrasync } from "../../captured.ts";

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await infrasync(["completion", shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** The completions that bash offers for the last word of a line. */
async function complete(line: string): Promise<string[]> {
  const program = `${await script("bash")}
COMP_LINE='${line}'
COMP_POINT=${line.length}
_infrasync
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync("bash", ["--norc", "-c", program], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout.split("\n").filter((word) => word !== "");
}

test.each([
  ["infrasync pl", ["plan"]],
  ["infrasync d", ["deploy", "diff", "destroy", "dump", "doctor"]],
  ["infrasync plan --de", ["--destroy", "--detailed-exitcode", "--deploy"]],
  ["infrasync apply --p", ["--plan", "--prune"]],
  ["infrasync plan --output ", ["text", "json", "markdown"]],
  ["infrasync plan --prune --output j", ["json"]],
  ["infrasync dump -o ", ["text", "yaml", "json"]],
  ["infrasync destroy -t ", []],
  ["infrasync completion ", ["bash", "zsh", "fish"]],
  // Only kinds that can be cloned.
  ["infrasync clone ", ["environment", "application", "container", "database", "helm", "job", "terraform"]],
  ["infrasync schema j", ["job"]],
  ["infrasync clone job ", []],
  ["infrasync validate ", []],
])("bash completes: %s", async (line, expected) => {
  expect(await complete(line)).toEqual(expected);
});

test("bash loads the script without output", async () => {
  const { stderr, status } = spawnSync(
    "bash",
    ["--norc", "-c", `${await script("bash")}\ncomplete -p infrasync`],
    { encoding: "utf8" },
  );
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
});

// zsh and fish are tested by npm run check:completion.
test.each(["zsh", "fish"])(
  "the completion script of %s contains every command and every flag",
  async (shell) => {
    const text = await script(shell);
    for (const command of [
      "validate",
      "plan",
      "diff",
      "apply",
      "destroy",
      "clone",
      "dump",
      "schema",
      "emulator",
      "completion",
    ]) {
      expect(text).toContain(command);
      const help = (await infrasync([command, "--help"])).stdout;
      for (const [, short = "", flag = ""] of help.matchAll(/^ {2}(-\w, |--\w+, )?--([a-z-]+)/gm)) {
        expect(text).toContain(shell === "fish" ? `-l ${flag}` : `--${flag}[`);
        const [, letter] = /^-(\w)/.exec(short) ?? [];
        if (letter !== undefined)
          expect(text).toContain(shell === "fish" ? `-s ${letter} -l ${flag}` : `'*-${letter}[`);
      }
    }
  },
);
