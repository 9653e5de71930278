// Which way imports may point. `npm run check:imports` draws on it, as does CI.

import { existsSync, readdirSync } from "node:fs";

/** A rule that one room does not import from others. */
const never = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: to },
});

/**
 * Rules that a room needs only the rooms before it, directly or by way of files between them: so no rooms go in a circle.
 * A file beside the rooms has no place in the order.
 */
function inOrder(folder, rooms) {
  const there = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const missing = there.map(({ name }) => name).filter((name) => !rooms.includes(name));
  if (missing.length > 0) throw new Error(`.dependency-cruiser.mjs gives no place to: ${missing.join(", ")}`);
  return rooms.slice(0, -1).map((room, index) => ({
    name: `${folder}-${room}-needs-no-later-room`,
    comment: "Rooms that need each other are one.",
    severity: "error",
    from: { path: `^${folder}/${room}/` },
    to: { path: `^${folder}/(${rooms.slice(index + 1).join("|")})/`, reachable: true },
  }));
}

/**
 * Rooms that are entered by their `index.ts` only, and what belongs to a room though it stands beside it. An `import()` may name a file of one: it
 * would load all that an index names.
 */
const faced = [
  "core/api",
  "core/secrets",
  "core/parts",
  "core/kinds",
  "core/events",
  "core/live",
  "core/manifest",
  "core/operations",
  "core/deployments",
  "core/import/live",
  "core/show",
  "core/plan",
  "core/concerns",
  "core/execute",
  "core/session",
  "git",
  "forge",
  "probe",
  "provider/lifecycle",
  "reconciler",
  ...readdirSync("reconciler")
    .map((room) => `reconciler/${room}`)
    .filter((room) => existsSync(`${room}/index.ts`)),
];

/** Files that may be entered beside the index: Pulumi programs load this one, which imports nothing. */
const beside = { "provider/lifecycle": "internal" };

/** The types that the library gives its users, as a build writes them: an index would have to name each. */
const generated = "^core/manifest/document-types\\.ts$";

/** The concerns are the planner's, and the session alone carries out plans. */
const belonging = { "core/plan": "core/concerns", "core/execute": "core/session" };

export default {
  forbidden: [
    ...faced.map((room) => ({
      name: `${room.replaceAll("/", "-")}-is-entered-by-its-index`,
      comment: "What others may use of a room stands in its index.ts.",
      severity: "error",
      from: {
        path: room.startsWith("reconciler/")
          ? "^reconciler/"
          : "^(core|git|forge|web|probe|cli|provider|reconciler)/",
        pathNot: `^(${[room, belonging[room] ?? []].flat().join("|")})/`,
      },
      to: {
        path: `^${room}/(?!(${["index", beside[room] ?? []].flat().join("|")})\\.ts$)`,
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
    never(
      "core-is-the-ground",
      "Front ends use core; core knows none of them.",
      "^core/",
      "^(database|git|forge|web|probe|cli|provider|reconciler|emulator|test|tools)/",
    ),
    never(
      "shared-by-front-ends",
      "Repositories, forges, databases and the look of pages serve every front end, know none, and not each other.",
      "^(database|git|forge|web)/",
      "^(probe|cli|provider|reconciler|emulator|test|tools)/",
    ),
    never(
      "probe-sees-the-server",
      "Stories see the answers of a server, not what the engine makes of them.",
      "^probe/",
      "^(core/(?!api/)[^/]+/|git|forge|web|cli|provider|reconciler|emulator|test|tools)",
    ),
    never("git-knows-no-forge", "A repository needs no forge.", "^git/", "^(database|forge|web)/"),
    never("forge-knows-no-repository", "A forge is asked over HTTP only.", "^forge/", "^(database|git|web)/"),
    never(
      "web-is-a-look",
      "The look of a page knows nothing that is on it.",
      "^web/",
      "^(database|git|forge)/",
    ),
    never(
      "database-is-shared",
      "What processes share needs nothing but core.",
      "^database/",
      "^(git|forge|web)/",
    ),
    never(
      "emulator-knows-nobody",
      "A misreading of the API must not hide in both.",
      "^emulator/",
      "^(core|database|git|forge|web|probe|cli|provider|reconciler|test|tools)/",
    ),
    never(
      "provider-stands-alone",
      "The provider is a front end of its own.",
      "^provider/",
      "^(git|forge|web|probe|cli|reconciler|emulator|test|tools)/",
    ),
    never(
      "reconciler-is-started",
      "The command line starts the reconciler, which knows no front end.",
      "^reconciler/",
      "^(probe|cli|provider|emulator|test|tools)/",
    ),
    never(
      "cli-starts-others",
      "The command line starts the emulator and the reconciler, and knows no other front end.",
      "^cli/",
      "^(provider|test|tools)/",
    ),
    ...inOrder("core", [
      "source",
      "schema",
      "api",
      "events",
      "secrets",
      "fields",
      "parts",
      "kinds",
      "live",
      "rules",
      "policies",
      "manifest",
      "operations",
      "deployments",
      "import",
      "show",
      "plan",
      "concerns",
      "execute",
      "forms",
      "session",
      "manifest-update",
    ]),
    ...inOrder("cli", ["terminal", "settings", "render", "progress", "support", "commands"]),
    ...inOrder("reconciler", [
      "policy",
      "sources",
      "database",
      "watch",
      "decide",
      "memory",
      "people",
      "view",
      "carry-out",
      "previews",
      "show",
      "webhook",
      "notify",
      "service",
    ]),
    never(
      "decisions-are-pure",
      "A decision reads a view: it sends nothing, waits for nothing and has no clock.",
      "^reconciler/decide/",
      "^(core/(api|live|operations)/|git/|node:)",
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
      "core/session carries out what it has approved; nobody else carries out a plan.",
      "^(core/(?!execute/|session/)|cli|reconciler|provider)",
      "^core/execute/(perform|deployments|schedule)",
    ),
    never(
      "got-speaks-http",
      "core/api alone speaks HTTP.",
      "^(core/(?!api/)|git|forge|web|probe|cli|reconciler|provider|emulator)",
      "^node_modules/got/",
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".js"],
    },
  },
};
