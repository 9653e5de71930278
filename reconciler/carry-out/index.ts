export { Carrier, type CarryingOut } from "./carry-out.ts";
export { LeftWork } from "./left-work.ts";
