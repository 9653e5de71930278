import { type AnyAddress, describeAddress } from "../../core/address.ts";
import { type Action, factsOf, isChange } from "../../core/plan/index.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";

/** `Job shop/staging/migrate`; control characters are escaped. */
export function title(address: AnyAddress): string {
  return escapeControl(describeAddress(address));
}

/** The character that stands before an action: `+` before a creation. */
export function symbolOf(action: Action, colors: Colors): string {
  const { mark, tone } = factsOf(action);
  const paint = { good: colors.green, note: colors.yellow, bad: colors.red, plain: colors.cyan }[tone];
  return isChange(action) ? paint(mark) : mark;
}
