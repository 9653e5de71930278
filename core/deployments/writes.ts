// The functions that write. The session alone calls them, for what it has approved; the rules of imports say so.
export { carryOut, carryOutOne } from "./carry-out.ts";
