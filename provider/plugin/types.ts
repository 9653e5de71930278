import manifest from "infrasync/package.json" with { type: "json" };

/** The name of the package, as in `infrasync:index:Job` and `infrasync:token`. */
export const packageName = "infrasync";

/** The type of a resource, or the name of a function: `infrasync:index:Job` for `Job`. */
export function tokenOf(name: string): string {
  return `${packageName}:index:${name}`;
}

/** The name in a token: `Job` for `infrasync:index:Job`; short forms leave `index` out. */
export function nameOfToken(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}

/** The kind of the resource of a URN: `Job` for `urn:pulumi:dev::shop::infrasync:index:Job::nightly`. */
export function kindOfUrn(urn: string): string {
  const [, , types = ""] = urn.split("::");
  return nameOfToken(types);
}

export function packageVersion(): string {
  return manifest.version;
}
