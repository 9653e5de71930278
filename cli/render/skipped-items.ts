import type { SkippedItem } from "../../core/import/live/index.ts";
import { escapeControl } from "../../core/values/text.ts";

/** Something live that no manifest has, or that one has as it is and should not, as a sentence. */
export function leftOutText({ address, type, why, isWritten }: SkippedItem): string {
  const it = `${escapeControl(type)} ${escapeControl(address)}`;
  return isWritten ? `Written with its live value: ${it}; ${why}.` : `Left out: ${it}, because ${why}.`;
}

export function leftOutForm({ address, type, why }: SkippedItem): Omit<SkippedItem, "name"> {
  return { address, type, why };
}
