import type { CommandLine, CommandMessage } from "../fixtures/command-pool.ts";

/**
 * Bash: `infrasync` as a function that writes its command line to descriptor 3, and reads from descriptor 4 what to print
 * and to return. A command that reads its input, or runs in a subshell, and so may run beside another one, is a process of
 * its own.
 */
export const infrasyncFunction = `infrasync() {
  if [ "$BASH_SUBSHELL" != 0 ] || ! [ /dev/stdin -ef /dev/null ]; then command infrasync "$@"; return; fi
  printf '%s\\0' "$PWD" "$#" "$@" >&3
  env -0 >&3
  printf '=\\0' >&3
  local message
  while IFS= read -r -d '' message <&4; do
    case $message in
      1*) printf '%s' "\${message:1}" ;;
      2*) printf '%s' "\${message:1}" >&2 ;;
      *) return "\${message:1}" ;;
    esac
  done
}
`;

/** Reads command lines from what the function writes to descriptor 3. */
export class RequestReader {
  #received = "";

  /** The command line that ends in this text, if one does. */
  read(text: string): CommandLine | undefined {
    this.#received += text;
    if (!this.#received.endsWith("\0=\0")) return undefined;
    const [folder = "", count, ...words] = this.#received.slice(0, -3).split("\0");
    const args = words.slice(0, Number(count));
    this.#received = "";
    const variables = words.slice(Number(count)).map((word): [string, string] => {
      const end = word.indexOf("=");
      return [word.slice(0, end), word.slice(end + 1)];
    });
    return { folder, args, env: Object.fromEntries(variables) };
  }
}

/** The message, as the function reads it from descriptor 4. */
export function messageForShell(message: CommandMessage): string {
  return "code" in message ? `c${message.code}\0` : `${message.descriptor}${message.text}\0`;
}
