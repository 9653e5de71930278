// Members of a configuration that can be written but not read.
const secretMembers = new Set(["secret_access_key", "scaleway_secret_key", "json_credentials", "password"]);

/** A configuration without its write-only members. */
export function readable(config: object): object {
  return Object.fromEntries(Object.entries(config).filter(([member]) => !secretMembers.has(member)));
}
