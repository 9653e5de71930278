import manifest from "infrasync/package.json" with { type: "json" };

/** The commit that a bundle was made from; what runs from the sources has none. */
declare const infrasyncCommit: string | undefined;

export function packageVersion(): string {
  return manifest.version;
}

/** The version with the commit that it was built from, where that is known: `0.1.0+84970c05a1b2`. */
export function buildVersion(): string {
  return typeof infrasyncCommit === "string" ? `${manifest.version}+${infrasyncCommit}` : manifest.version;
}
