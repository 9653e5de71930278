import type { CommandWords } from "./words.ts";

/** A completion script for bash. It suggests nothing for files, so that bash completes file names. */
export function bashScript(commands: readonly CommandWords[]): string {
  return `# bash completion for infrasync; load it with: source <(infrasync completion bash)
_infrasync() {
  # bash divides job:shop/staging at the colon, so the line is divided again.
  local line=\${COMP_LINE:0:COMP_POINT} current= previous= command= position=0 words= index
  local -a all
  read -ra all <<< "$line"
  [[ $line == *[[:space:]] ]] && all+=("")
  local last=$(( \${#all[@]} - 1 ))
  current=\${all[last]} previous=\${all[last-1]}
  for ((index = 1; index < last; index++)); do
    [[ \${all[index]} == -* ]] && continue
    if [[ -z $command ]]; then command=\${all[index]}; else ((position++)); fi
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
# The live addresses that complete a word, without what stands before its last colon.
_infrasync_addresses() {
  local word=\${1#[\\'\\"]} before= found
  [[ $word == *:* ]] && before=\${word%"\${word##*:}"}
  found=$(infrasync complete "$word" 2> /dev/null) || return
  # Names come from the server, so what a shell would obey is escaped.
  while IFS= read -r word; do
    [[ -n $word ]] && COMPREPLY+=("$(printf %q "\${word#"$before"}")")
  done <<< "$found"
}
complete -o default -F _infrasync infrasync
`;
}

function optionCases({ names, options }: CommandWords): string[] {
  return options.flatMap(({ flags, value }) => {
    if (value === "none") return [];
    const pattern = names.flatMap((name) => flags.map((flag) => `"${name} ${flag}"`)).join("|");
    if (value === "address") return [`    ${pattern}) _infrasync_addresses "$current"; return ;;`];
    const words = Array.isArray(value)
      ? `COMPREPLY=($(compgen -W "${value.join(" ")}" -- "$current")); `
      : "";
    return [`    ${pattern}) ${words}return ;;`];
  });
}

function argumentCases(command: CommandWords): string[] {
  return command.arguments.flatMap((words, index) => {
    const isLast = index === command.arguments.length - 1;
    const pattern = (position: string) => command.names.map((name) => `"${name} "${position}`).join("|");
    if (words === "address")
      return [`      ${pattern(isLast ? "*" : String(index))}) _infrasync_addresses "$current"; return ;;`];
    return Array.isArray(words) ? [`      ${pattern(String(index))}) words="${words.join(" ")}" ;;`] : [];
  });
}
