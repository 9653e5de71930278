import manifest from "infrasync/package.json" with { type: "json" };

/** The version of this package. */
export function packageVersion(): string {
  return manifest.version;
}
