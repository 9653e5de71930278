import { maximumBytes } from "./limits.ts";
import type { Fault } from "./mistake.ts";

/** The fault of a file of more bytes than are read. */
export const tooLarge: Fault = {
  message: `is larger than ${maximumBytes / 1024 / 1024} MiB`,
  advice: "split it into several files",
};

const notText: Fault = {
  message: "is not a text in UTF-8",
  advice: "if it is a text, save it in UTF-8; leave other files out",
};

/** The text that bytes in UTF-8 stand for, or why they stand for none. */
export function decodeText(bytes: Uint8Array): { text: string } | { fault: Fault } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { fault: notText };
    throw error;
  }
}

/** Why a text is not to be parsed; undefined when it is. */
export function textFault(text: string): Fault | undefined {
  if (Buffer.byteLength(text) > maximumBytes) return tooLarge;
  return text.includes("\0") ? notText : undefined;
}
