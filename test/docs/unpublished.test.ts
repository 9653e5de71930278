import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const checkout = new URL("../..", import.meta.url).pathname;

/** What would run or fetch infrasync by a name that anybody can register, until a release has reserved it. */
const patterns: Record<string, RegExp> = {
  "a program of a registry":
    /\b(?:npx|npm (?:exec|x)|pnpm dlx|yarn dlx|bunx)(?! --no\b)(?: -[\w=-]+)*(?: --)? @?infrasync\b(?![-.]\d)/g,
  "a package of a registry":
    /\b(?:npm (?:install|i|add)|pnpm add|yarn add|bun add)\b[^\n`|&;]* ["']?@?infrasync(?:\/pulumi)?(?:@(?!npm:)[^\s"'`]*)?(?=["'`\s]|$)/gm,
  "a dependency in a registry": /"(?:infrasync|@infrasync\/pulumi)": *"[~^<>=]*\d/g,
  "a package with its version": /(?<=\[ *["']|^ *- *["']?|, *["'])@?infrasync(?:\/pulumi)?@[~^<>=]*\d/gm,
  "a package of PyPI": /\bpip install (?!--index-url )[^\n`]*\bpulumi[_-]infrasync\b(?!-\d)/g,
  "an action of GitHub": /\buses: *(?:infrasync|acme)\/|(?<![@\w])acme\/infrasync@/g,
  "a repository of GitHub": /github\.com\/infrasync\b/g,
  "an image": /\b(?:ghcr\.io|quay\.io|docker\.io)\/infrasync\b|\bdocker (?:run|pull)(?: -\S+)* infrasync\//g,
  "an image that is fetched where it was not built":
    /\bdocker run\b(?![^\n]* --pull never)[^\n]* infrasync\b(?![:/])|^ *image: ["']?infrasync(?::\S*)?["']?$(?!\n *pull_policy: never)/gm,
  "a page of a registry":
    /npmjs\.com\/package\/@?infrasync|pypi\.org\/project\/pulumi.infrasync|nuget\.org\/packages\/Infrasync/g,
  "a domain": /\binfrasync\.(?:io|dev|com|org|net|sh|app|cloud)\b/g,
  "a file of a CDN": /\b(?:unpkg\.com|cdn\.jsdelivr\.net|esm\.sh)\b/g,
  "a plugin from a place that Pulumi chooses":
    /pulumi plugin install resource infrasync\b(?![^\n]*--server)/g,
  "a document that the checkout lacks": /(?<![\w/.-])(?:reference|notes)\.md\b/g,
  "a folder beside the checkout": /\.\.\/shared\/(?:api|tools)/g,
};

/** Where one may stand, and why. */
const allowed: Record<string, string> = { "CHANGELOG.md": "says what a version no longer writes" };

function foundIn(text: string): string[] {
  return Object.entries(patterns).flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)].map(([found]) => `${what}: ${found}`),
  );
}

test("nothing that the project writes or shows runs or fetches infrasync by a name that anybody can register", () => {
  const files = globSync(["**/*", ".*/**/*", ".*"], {
    cwd: checkout,
    exclude: [
      "node_modules",
      "**/node_modules/**",
      "dist*/**",
      ".git/**",
      ".cache/**",
      "coverage/**",
      "test/**",
    ],
  }).filter((name) =>
    /(?:^|\/)[^.]+$|\.(?:md|ts|mjs|json|ya?ml|service|go|mod|py|toml|txt|rego)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(1000);
  const found = files
    .filter((name) => !(name in allowed))
    .flatMap((name) => {
      const text = textOf(join(checkout, name));
      return foundIn(text).map((each) => `${name}: ${each}`);
    });
  expect(found).toEqual([]);
});

test.each([
  "npx infrasync plan",
  "npx --yes infrasync@0.1.0 ci plan",
  "npm exec -- infrasync plan",
  "npx @infrasync/pulumi",
  "`npm install infrasync` in the folder",
  "npm install --save-dev @pulumi/pulumi infrasync@0.1.0",
  'npm install --global --silent "infrasync@$INFRASYNC_VERSION"',
  "npm install @infrasync/pulumi",
  '"infrasync": "^0.1.0"',
  "pip install --extra-index-url https://pypi.example.com/simple pulumi_infrasync",
  "- uses: infrasync/action@v1",
  "uses: acme/infrasync@action-v0.1.0",
  "github://api.github.com/infrasync/infrasync",
  "docker pull ghcr.io/infrasync/infrasync:0.1.0",
  "https://www.npmjs.com/package/@infrasync/pulumi",
  "https://unpkg.com/infrasync@0.1.0/",
  "pulumi plugin install resource infrasync 0.1.0",
  'additional_dependencies: ["infrasync@0.1.0"]',
  "- infrasync@^0.1.0",
  "docker run --read-only infrasync",
  "    image: infrasync",
  "Source: notes.md.",
  "https://infrasync.dev/schema.json",
])("the check finds: %s", (text) => {
  expect(foundIn(text)).toHaveLength(1);
});

test.each([
  "npx --no infrasync ci plan manifests",
  "npm install ./infrasync-0.1.0.tgz",
  "npm install --save-exact https://packages.example.com/infrasync-0.1.0.tgz",
  "npm install --save-exact infrasync@npm:@acme/infrasync@0.1.0",
  "npm install --global --ignore-scripts @acme/infrasync@0.1.0",
  '"infrasync": "file:../infrasync-0.1.0.tgz"',
  "npm run --silent infrasync -- plan",
  "pip install --index-url https://pypi.example.com/simple pulumi_infrasync",
  "pulumi plugin install resource infrasync 0.1.0 --server https://plugins.example.com",
  'additional_dependencies: ["https://packages.example.com/infrasync-0.1.0.tgz"]',
  "docker run --pull never --read-only infrasync",
  "    image: infrasync\n    pull_policy: never",
  "image: registry.example.com/infrasync:0.1.0",
])("the check allows: %s", (text) => {
  expect(foundIn(text)).toEqual([]);
});

/** The text of a file; none for a folder. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EISDIR") return "";
    throw error;
  }
}
