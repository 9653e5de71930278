export { type OneTimeValue, type OneTimeValues, withoutShown } from "./one-time-values.ts";
export {
  asShown,
  withoutHiddenValues,
  hiddenMember,
  hiddenSecrets,
  openOverHidden,
  secretField,
  secretsInFields,
  secretsWithoutSource,
  withChangedSecrets,
  withLastSecrets,
  withoutPlainSecrets,
  withRotated,
  withSecretValues,
  withSources,
} from "./in-fields.ts";
export { withoutVersionSuffix, withSecretsShown, withVersionSuffix } from "./version-suffix.ts";
export { type SecretLimits, SecretReader, type SecretSources } from "./source.ts";
export { SecretSourceError } from "./value.ts";
