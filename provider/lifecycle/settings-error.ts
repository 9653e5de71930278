/** Settings that are missing, or cannot be used. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
