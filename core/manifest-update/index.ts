export { acceptDrift, type Acceptance } from "./accept.ts";
