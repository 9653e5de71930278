export { SecretReader, SecretSourceError, type SecretSources } from "./source.ts";
