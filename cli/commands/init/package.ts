import type { Problem } from "../../../core/problems/problem.ts";

/** The package that a job of CI installs: a tarball or a scoped name, because anybody could take its name in a public registry. */
export type CiPackage =
  | { url: string; algorithm: string; digest: string }
  | { scope: string; name: string; version: string };

const form =
  "--package URL#sha512-…, an https URL of its tarball with its integrity, or --package @SCOPE/NAME@VERSION";

export const packageMissing: Problem = {
  code: "argument",
  message: "no registry has infrasync yet, so the file for CI has to say which package it installs",
  advice: `add ${form}; npm pack in a checkout makes the tarball, and docs/guides/install.md says how a team serves it`,
};

/** The sizes of digests in bytes, by the prefixes of an integrity. */
const digestSizes: Record<string, number> = { sha256: 32, sha384: 48, sha512: 64 };

export function readPackage(text: string): CiPackage | Problem {
  const [, url = "", algorithm = "", base64 = ""] =
    /^(https:\/\/[\w.~:/?&=%@+,-]+)#(sha\d+)-([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const digest = Buffer.from(base64, "base64");
  if (url !== "" && digest.length === digestSizes[algorithm]) {
    if (URL.canParse(url) && new URL(url).username === "")
      return { url, algorithm, digest: digest.toString("hex") };
    return wrong("contains a user or a password, and the file for CI would show it");
  }
  const [, scope, name, version] =
    /^(@[a-z\d][\w.-]*)\/([a-z\d][\w.-]*)@(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/.exec(text) ?? [];
  if (scope !== undefined && name !== undefined && version !== undefined) return { scope, name, version };
  return wrong("is neither a tarball with its integrity nor an exact version of a package with a scope");
}

// Without the text, which may contain a password.
function wrong(what: string): Problem {
  return { code: "argument", message: `--package ${what}`, advice: `write ${form}` };
}

/** The commands of a shell that install the program. No script of a package runs. */
export function installation(ciPackage: CiPackage): string[] {
  const install = "npm install --global --ignore-scripts";
  if ("name" in ciPackage) return [`${install} ${ciPackage.scope}/${ciPackage.name}@${ciPackage.version}`];
  const { url, algorithm, digest } = ciPackage;
  return [
    "file=$(mktemp --suffix .tgz)",
    `curl --fail --silent --show-error --location --output "$file" '${url}'`,
    `echo "${digest}  $file" | ${algorithm}sum --check`,
    // The .npmrc of the repository could name another registry for the dependencies of the package.
    `(cd / && ${install} "$file")`,
  ];
}
