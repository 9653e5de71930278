// Which way imports may point. `npm run check:imports` draws on it, as does CI.

import { existsSync, readdirSync } from "node:fs";
import { rulesOfFolders, sourceFolders } from "./tools/source-folders.ts";

/** Matches the files of some folders. */
const below = (folders) => `^(${folders.join("|")})/`;

/** A rule that one module does not import from others. */
const never = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: to },
});

/**
 * Rules that a module needs only the modules before it, directly or by way of files between them: so no modules go in a circle.
 * A module of `shared`, which all may use, and a file beside the modules have no place in the order.
 */
function inOrder(folder, modules, shared = []) {
  const foldersIn = (parent) =>
    readdirSync(parent, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  const hasPlace = (name) => [...modules, ...shared].includes(name);
  const missing = foldersIn(folder)
    .filter((name) => !hasPlace(name))
    .flatMap((group) => foldersIn(`${folder}/${group}`).map((name) => `${group}/${name}`))
    .filter((name) => !hasPlace(name));
  if (missing.length > 0) throw new Error(`.dependency-cruiser.mjs gives no place to: ${missing.join(", ")}`);
  return modules
    .slice(0, -1)
    .map((module, index) => ({
      name: `${folder}-${module.replaceAll("/", "-")}-needs-no-later-module`,
      comment: "Modules that need each other are one.",
      severity: "error",
      from: { path: `^${folder}/${module}/` },
      to: { path: `^${folder}/(${modules.slice(index + 1).join("|")})/`, reachable: true },
    }));
}

/**
 * Modules that are entered by their `index.ts` only, and what belongs to a module though it stands beside it. An `import()` may name a file of one: it
 * would load all that an index names.
 */
const byIndex = [
  "core/api",
  "core/secrets",
  "core/model/parts",
  "core/model/kinds",
  "core/state/events",
  "core/state/live",
  "core/manifests/manifest",
  "core/operations",
  "core/deployments",
  "core/import/live",
  "core/outputs/show",
  "core/planning/plan",
  "core/planning/concerns",
  "core/execution/execute",
  "core/execution/session",
  "adapters/git",
  "adapters/forge",
  "provider/lifecycle",
  "reconciler",
  ...readdirSync("reconciler")
    .map((module) => `reconciler/${module}`)
    .filter((module) => existsSync(`${module}/index.ts`)),
];

/**
 * Files that may be entered beside the index: what writes stands apart from what all may use, and Pulumi programs and help load files
 * that import nothing; the driver of the database is loaded only by many sources.
 */
const beside = {
  "core/api": "write-client",
  "core/operations": "writes",
  "core/deployments": "writes",
  "provider/lifecycle": "internal",
  reconciler: ["verbs", "database/index"],
};

/** The types that the library gives its users, as a build writes them: an index would have to name each. */
const generated = "^core/manifests/manifest/document-types\\.ts$";

/** The concerns are the planner's, and the session alone carries out plans. */
const belonging = {
  "core/planning/plan": "core/planning/concerns",
  "core/execution/execute": "core/execution/session",
};

export default {
  forbidden: [
    ...byIndex.map((module) => ({
      name: `${module.replaceAll("/", "-")}-is-entered-by-its-index`,
      comment: "What others may use of a module stands in its index.ts.",
      severity: "error",
      from: {
        path: below(module.startsWith("reconciler/") ? ["reconciler"] : sourceFolders),
        pathNot: `^(${[module, belonging[module] ?? []].flat().join("|")})/`,
      },
      to: {
        path: `^${module}/(?!(${["index", beside[module] ?? []].flat().join("|")})\\.ts$)`,
        pathNot: generated,
        dynamic: false,
      },
    })),
    {
      name: "no-circles",
      severity: "error",
      comment: "Two files that need each other are one.",
      from: {},
      to: { circular: true },
    },
    ...rulesOfFolders.map(({ name, imports, because }) => ({
      name: `imports-of-${name}`,
      comment: because,
      severity: "error",
      from: { path: below([name]) },
      to: { path: "/", pathNot: below([name, ...imports, "node_modules"]), dependencyTypesNot: ["core"] },
    })),
    never(
      "cases-see-the-server",
      "Cases see the answers of a server, not what the engine makes of them.",
      "^test/conformance/assumptions/cases/",
      "^(core/(?!api/)[^/]+|cli|adapters|emulator|reconciler)/",
    ),
    ...inOrder(
      "core",
      [
        "report",
        "source",
        "model/schema",
        "api",
        "state/events",
        "secrets",
        "model/fields",
        "model/parts",
        "model/kinds",
        "state/live",
        "rules",
        "manifests/manifest",
        "manifests/settings",
        "operations",
        "deployments",
        "import/live",
        "import/terraform",
        "outputs/show",
        "planning/plan",
        "planning/concerns",
        "execution/execute",
        "outputs/forms",
        "execution/session",
        "import/manifest-update",
      ],
      ["files", "model/addresses", "problems", "redaction", "values"],
    ),
    ...["database", "git", "forge", "web"].map((module) =>
      never(
        `adapters-${module}-stands-alone`,
        "Each speaks with one system, and needs nothing but core.",
        `^adapters/${module}/`,
        `^adapters/(?!${module}/)`,
      ),
    ),
    ...inOrder("cli", [
      "terminal",
      "settings",
      "render",
      "files",
      "progress",
      "session",
      "manifests",
      "change",
      "repository",
      "service",
      "commands",
    ]),
    ...inOrder("reconciler", [
      "policy",
      "sources",
      "database",
      "watch",
      "people",
      "requests",
      "decide",
      "memory",
      "view",
      "carry-out",
      "previews",
      "journal",
      "show",
      "webhook",
      "notify",
      "service",
    ]),
    never(
      "decisions-are-pure",
      "A decision reads a view: it sends nothing, waits for nothing and has no clock.",
      "^reconciler/decide/",
      "^(core/(api|state/live|operations)/|adapters/|node:)",
    ),
    ...inOrder("emulator", [
      "bodies",
      "world",
      "http",
      "git",
      "services",
      "variables",
      "lifecycle",
      "deployments",
      "rules",
      "environments",
      "catalogue",
      "members",
      "organization",
      "credentials",
      "clusters",
      "billing",
      "databases",
      "alerts",
      "workflows",
      "control",
      "server",
      "seed",
    ]),
    never(
      "only-approved-plans-are-carried-out",
      "core/execution/session carries out what it has approved; nobody else carries out a plan.",
      `^(?!core/execution/(execute|session)/)(${sourceFolders.join("|")})/`,
      "^core/execution/execute/(perform|deployments|schedule)",
    ),
    {
      name: "only-the-session-writes",
      comment:
        "Every write passes approve: what sends it is called by what carries out an approved plan, and by nothing else.",
      severity: "error",
      from: { path: "^(core/(?!execution/(execute|session)/)|ci|cli|reconciler|provider|adapters)" },
      to: { path: "^core/(operations|deployments)/writes\\.ts$" },
    },
    never(
      "only-operations-write",
      "A client writes for operations and deployments only.",
      "^(core/(?!api/|operations/|deployments/)|ci|cli|reconciler|provider|adapters)",
      "^core/api/(write-client|client)\\.ts$",
    ),
    {
      name: "ci-is-below-the-commands",
      comment:
        "The jobs of a forge stand between what commands share and the commands: only their own command and the action start them.",
      severity: "error",
      from: { path: "^ci/" },
      to: { path: "^cli/(commands/|[^/]+$)", pathNot: "^cli/(exit-codes|failure|flags)\\.ts$" },
    },
    never(
      "a-command-and-the-action-start-ci",
      "What commands share is below the jobs of a forge.",
      "^cli/(?!commands/ci\\.ts$|action\\.ts$)",
      "^ci/",
    ),
    never(
      "got-speaks-http",
      "core/api alone speaks HTTP.",
      `^(?!core/api/)(${sourceFolders.join("|")})/`,
      "^node_modules/got/",
    ),
  ],
  options: {
    // Begins with these folders, and looks at what they import elsewhere without going on from there.
    doNotFollow: { path: `^(?!(${[...sourceFolders, "tools"].join("|")})(/|$))` },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".js"],
    },
  },
};
