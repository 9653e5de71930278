import { type AnyAddress, describeAddress, formatReference } from "../../core/model/addresses/address.ts";
import type { ShownSubject } from "../../core/report/block.ts";
import { escapeControl } from "../../core/values/text.ts";

export { counted, indent, timeLeft, wrap } from "../../core/values/text.ts";

/** A duration in milliseconds as a person reads it: `0.4 s`, `58 s`, `4 min`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  return seconds < 100 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** How long something has gone on, to the second: `58 s`, `2 min 5 s`. */
export function elapsed(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `Job shop/staging/migrate`; control characters are escaped. */
export function title(address: AnyAddress): string {
  return escapeControl(describeAddress(address));
}

export function subjectOf({ kind, names }: AnyAddress): ShownSubject {
  return { kind: kind.name, reference: formatReference(names) };
}
