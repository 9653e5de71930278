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
