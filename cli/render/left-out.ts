import type { LeftOut } from "../../core/import/live/index.ts";
import { escapeControl } from "../../core/text.ts";

/** Something live that no manifest has, as a sentence. */
export function leftOutText({ address, type, why }: LeftOut): string {
  return `Left out: ${escapeControl(type)} ${escapeControl(address)}, because ${why}.`;
}

/** The same in its JSON form. */
export function leftOutForm({ address, type, why }: LeftOut): Omit<LeftOut, "name"> {
  return { address, type, why };
}
