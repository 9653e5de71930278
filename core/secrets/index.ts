export { missingSecrets } from "./missing.ts";
export { SecretReader, SecretSourceError, type SecretSources } from "./source.ts";
