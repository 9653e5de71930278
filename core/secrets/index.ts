export { SecretReader, SecretSourceError } from "./source.ts";
