/** The key of the variable in which an environment says that it is a preview, until when, and whose. */
export const expiryKey = "INFRASYNC_EXPIRES_AT";
