export { type SecretLimits, SecretReader, SecretSourceError, type SecretSources } from "./source.ts";
