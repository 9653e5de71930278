export { missingSecrets } from "./missing.ts";
export { SecretReader } from "./source.ts";
