import { type AnyAddress, describeAddress, formatReference } from "../../core/model/addresses/address.ts";
import type { ShownSubject } from "../../core/report/block.ts";
import { escapeControl } from "../../core/values/text.ts";

/** `Job shop/staging/migrate`; control characters are escaped. */
export function title(address: AnyAddress): string {
  return escapeControl(describeAddress(address));
}

export function subjectOf({ kind, names }: AnyAddress): ShownSubject {
  return { kind: kind.name, reference: formatReference(names) };
}
