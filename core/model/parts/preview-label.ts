/** The key of the variable that marks an environment as a preview, with its expiry and owner. */
export const expiryKey = "INFRASYNC_EXPIRES_AT";
