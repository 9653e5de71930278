import type { CommandWords } from "./words.ts";

/** A completion script for bash. For files it suggests nothing, so that bash completes file names. */
export function bashScript(commands: readonly CommandWords[]): string {
  return `# bash completion for infrasync; load it with: source <(infrasync completion bash)
_infrasync() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= position=0 words= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    [[ \${COMP_WORDS[index]} == -* ]] && continue
    if [[ -z $command ]]; then command=\${COMP_WORDS[index]}; else ((position++)); fi
  done
  case "$command $previous" in
${commands.flatMap((command) => optionCases(command)).join("\n")}
  esac
  if [[ -z $command ]]; then
    words="${commands.flatMap(({ names }) => names).join(" ")} --help --version"
  elif [[ $current == -* ]]; then
    case $command in
${commands.map(({ names, options }) => `      ${names.join("|")}) words="${options.flatMap(({ flags }) => flags).join(" ")}" ;;`).join("\n")}
    esac
  else
    case "$command $position" in
${commands.flatMap((command) => argumentCases(command)).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _infrasync infrasync
`;
}

function optionCases({ names, options }: CommandWords): string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === "none") return [];
    const pattern = names.flatMap((name) => flags.map((flag) => `"${name} ${flag}"`)).join("|");
    const words = Array.isArray(value)
      ? `COMPREPLY=($(compgen -W "${value.join(" ")}" -- "$current")); `
      : "";
    return [`    ${pattern}) ${words}return ;;`];
  });
}

function argumentCases(command: CommandWords): string[] {
  return command.arguments.flatMap((words, index) =>
    Array.isArray(words)
      ? [
          `      ${command.names.map((name) => `"${name} ${index}"`).join("|")}) words="${words.join(" ")}" ;;`,
        ]
      : [],
  );
}
