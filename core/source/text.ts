import { maximumBytes } from "./limits.ts";
import type { Mistake, PlacedMistake } from "./mistake.ts";
import { fileStandIn } from "./stand-ins.ts";

export const tooLarge: Mistake = {
  message: `is larger than ${maximumBytes / 1024 / 1024} MiB`,
  advice: "split it into several files",
};

export const notText: Mistake = {
  message: "is not a text in UTF-8",
  advice: "if it is a text, save it in UTF-8; leave other files out",
};

/** Decodes UTF-8, or returns the mistake. @param ignoreBOM whether a byte order mark stays in the text */
export function decodeText(bytes: Uint8Array, ignoreBOM = false): { text: string } | { mistake: Mistake } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError)
      return { mistake: fileStandIn(Buffer.from(bytes.subarray(0, 20)).toString("latin1")) ?? notText };
    throw error;
  }
}

/** Why a text cannot be parsed; undefined: it can. */
export function textMistake(text: string): Mistake | undefined {
  if (Buffer.byteLength(text) > maximumBytes) return tooLarge;
  return text.includes("\0") ? (fileStandIn(text.slice(0, 20)) ?? notText) : undefined;
}

// All control characters but tab and line ends. YAML forbids them, but the parser accepts them, and a terminal would
// obey them.
// oxlint-disable-next-line no-control-regex
const controlCharacter = /[\u0001-\u0008\u000B\u000C\u000E-\u001F]/;

/** A character that YAML forbids, with its position. */
export function misplacedCharacter(text: string): PlacedMistake | undefined {
  const control = controlCharacter.exec(text);
  if (control) {
    const code = (control[0].codePointAt(0) ?? 0).toString(16).padStart(2, "0");
    return {
      code: "syntax",
      message: `the control character \\x${code} is not allowed in YAML`,
      advice: `remove it, or write it as \\x${code} inside double quotes`,
      offset: control.index,
    };
  }
  const mark = text.search(/^\uFEFF/m);
  return mark === -1
    ? undefined
    : {
        code: "syntax",
        message: "a byte order mark (U+FEFF) inside the file",
        advice: "remove it; when files are joined, only the first may begin with one",
        offset: mark,
      };
}
