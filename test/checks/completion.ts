// npm run check:completion: tests the completions that zsh and fish offer with the scripts of `infrasync completion`. Fails when one of
// these shells is missing.
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const cases: readonly [line: string, words: readonly string[]][] = [
  ["infrasync pl", ["plan"]],
  ["infrasync d", ["deploy", "destroy", "diff", "doctor", "dump"]],
  ["infrasync g", ["get"]],
  ["infrasync l", ["list", "logs"]],
  ["infrasync plan --de", ["--deploy", "--destroy", "--detailed-exitcode"]],
  ["infrasync plan --output ", ["json", "markdown", "text"]],
  ["infrasync dump -o ", ["json", "text", "yaml"]],
  ["infrasync completion ", ["bash", "fish", "zsh"]],
  ["infrasync schema j", ["job"]],
  ["infrasync clone e", ["environment"]],
  // The live addresses come from the program below.
  ["infrasync deploy sh", ["shop", "shop/staging"]],
  ["infrasync plan --target sh", ["shop", "shop/staging"]],
  ["infrasync restart job:sh", ["job:shop/staging/nightly"]],
];

/** A program of the shell that loads the script `$1` and prints the completions of the line `$2`, one a line. */
const programs = {
  fish: `source $argv[1]; complete -C $argv[2] | string split -f 1 \\t; true`,
  // zsh completes only at a prompt, so a second zsh gets a terminal of its own, into which the line is typed.
  zsh: `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source $1.zsh $1"
zpty -r shell line '*READY*'
zpty -w -n shell "$2"$'\\t'
zpty -r shell line '*DONE*'
zpty -d shell
cat $1.words`,
};

/** Runs at the prompt of the second zsh and writes the completions to a file. */
const atPrompt = `PROMPT=
autoload -Uz compinit
compinit -u -D
words_file=$1.words
: > $words_file
source $1
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a offered
  builtin compadd -O offered "$@"
  print -rl -- $offered >> $words_file
  builtin compadd "$@"
}
finish() { print DONE }
comppostfuncs=(finish)
bindkey '^I' complete-word
print READ''Y
`;

/** Stands for `infrasync complete`, which needs a server. */
const liveAddresses = `#!/bin/sh
case "$2" in job:*) echo job:shop/staging/nightly ;; *) printf 'shop\\nshop/staging\\n' ;; esac
`;

using temporary = mkdtempDisposableSync(join(tmpdir(), "infrasync-completion-"));
const folder = temporary.path;
const failures: string[] = [];
writeFileSync(join(folder, "infrasync"), liveAddresses, { mode: 0o755 });
const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` };
for (const [shell, program] of Object.entries(programs)) {
  const script = spawnSync(process.execPath, ["cli/main.ts", "completion", shell], { encoding: "utf8" });
  const file = join(folder, shell);
  writeFileSync(file, script.stdout);
  writeFileSync(`${file}.zsh`, atPrompt);
  for (const [line, words] of cases) {
    // The words after the program are its arguments; zsh takes the first of them as the program's name.
    const args =
      shell === "zsh" ? ["-f", "-c", program, "zsh", file, line] : ["-N", "-c", program, file, line];
    const ran = spawnSync(shell, args, { encoding: "utf8", timeout: 120_000, env });
    const offered = ran.stdout?.split("\n").filter((word) => word !== "") ?? [];
    const isRight =
      ran.status === 0 && ran.stderr === "" && [...new Set(offered)].toSorted().join(" ") === words.join(" ");
    console.log(`${isRight ? "ok    " : "FAILED"} ${shell}: ${line} -> ${offered.join(" ")}`);
    if (!isRight) failures.push(`${shell}: ${line}: ${ran.error?.message ?? ran.stderr}`);
  }
}
if (failures.length > 0) {
  console.error(failures.join("\n"));
  process.exitCode = 1;
}
