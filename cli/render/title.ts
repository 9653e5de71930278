import { type AnyAddress, describeAddress } from "../../core/address.ts";
import { type Action, unreachable } from "../../core/plan/action.ts";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";

/** `Job shop/staging/migrate`; control characters are escaped. */
export function title(address: AnyAddress): string {
  return escapeControl(describeAddress(address));
}

/** The character that stands before an action: `+` before a creation. */
export function symbolOf({ type }: Action, colors: Colors): string {
  switch (type) {
    case "create":
    case "clone":
      return colors.green("+");
    case "update":
      return colors.yellow("~");
    case "replace":
      return colors.red("±");
    case "delete":
      return colors.red("-");
    case "deploy":
      return colors.cyan(">");
    case "none":
      return " ";
    default:
      return unreachable(type);
  }
}
