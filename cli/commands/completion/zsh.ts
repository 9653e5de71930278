import type { CommandWords, OptionWords } from "./words.ts";

export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef infrasync
# zsh completion for infrasync; load it with: source <(infrasync completion zsh)
_infrasync() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.flatMap(({ names, description }) => names.map((name) => `      '${name}:${quoted(description)}'`)).join("\n")}
    )
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map((command) => caseOf(command)).join("\n")}
  esac
}
# The live addresses that complete a word.
_infrasync_addresses() {
  local -a found=(\${(f)"$(infrasync complete "\${(Q)PREFIX}" 2> /dev/null)"})
  (( $#found )) && compadd -- $found
}
compdef _infrasync infrasync
`;
}

function caseOf(command: CommandWords): string {
  const options = command.options.flatMap((option) => option.flags.map((flag) => optionOf(flag, option)));
  const positions = command.arguments.map((words, index) => {
    const isLast = index === command.arguments.length - 1;
    return `'${isLast ? "*" : index + 1}:argument:${action(words)}'`;
  });
  return [
    `    ${command.names.join("|")})`,
    `      _arguments -s \\`,
    [...options, ...positions].map((spec) => `        ${spec}`).join(" \\\n"),
    "      ;;",
  ].join("\n");
}

function optionOf(flag: string, { description, value }: OptionWords): string {
  return `'*${flag}[${quoted(description).replaceAll(/[[\]]/g, "\\$&")}]${value === "none" ? "" : `:value:${action(value)}`}'`;
}

function action(value: CommandWords["arguments"][number]): string {
  if (Array.isArray(value)) return `(${value.join(" ")})`;
  if (value === "address") return "_infrasync_addresses";
  return value === "file" ? "_files" : " ";
}

/** Escaped for single quotes in zsh, where a colon is a separator. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`).replaceAll(":", "\\:");
}
