// Which way imports may point. `npm run check:imports` draws on it, as does CI.

/** A rule that one room does not import from others. */
const never = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: to },
});

export default {
  forbidden: [
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
      "^(cli|provider|reconciler|emulator|test|tools)/",
    ),
    never(
      "emulator-knows-nobody",
      "A misreading of the API must not hide in both.",
      "^emulator/",
      "^(core|cli|provider|reconciler|test|tools)/",
    ),
    never(
      "provider-stands-alone",
      "The provider is a front end of its own.",
      "^provider/",
      "^(cli|reconciler|emulator|test|tools)/",
    ),
    never(
      "cli-starts-others",
      "The command line starts the emulator and the reconciler, and knows no other front end.",
      "^cli/",
      "^(provider|test|tools)/",
    ),
    never(
      "source-knows-no-schema",
      "Text with positions is the same for manifests, settings and whatever else is read.",
      "^core/source/",
      "^core/(schema|kinds|manifest|fields)/",
    ),
    never(
      "schema-knows-no-kind",
      "What a check needs of a kind is handed to it.",
      "^core/schema/",
      "^core/(kinds|manifest|fields)/",
    ),
    never(
      "kinds-know-no-manifest",
      "Programs describe resources too.",
      "^core/(kinds|fields)/",
      "^core/manifest/",
    ),
    never(
      "got-speaks-http",
      "core/api alone speaks HTTP.",
      "^(core/(?!api/)|cli|provider|emulator)",
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
