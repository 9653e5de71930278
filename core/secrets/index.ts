export { secretsInFields, withoutPlainSecrets, withSecretValues } from "./in-fields.ts";
export { type SecretLimits, SecretReader, SecretSourceError, type SecretSources } from "./source.ts";
