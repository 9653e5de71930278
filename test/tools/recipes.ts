import type { Edit } from "../fixtures/checkout-copy.ts";

/** A recipe of CONTRIBUTING, carried out with a small example. */
export interface Recipe {
  /** What it begins with. */
  first: readonly Edit[];
  /** The files that the checks name then: those that do not compile, tests that fail, generated files that are stale. */
  missing: readonly string[];
  rest: readonly Edit[];
}

/** By the heading of each. */
export const recipes: Record<string, Recipe> = {
  "Add a command": {
    first: [
      [
        "cli/commands/hello.ts",
        `import { exitCodes } from "../exit-codes.ts";
import type { Command } from "./command.ts";

export const hello: Command<[], object> = {
  run({ console }) {
    console.data("hello");
    return Promise.resolve(exitCodes.done);
  },
};
`,
      ],
      [
        "cli/commands/index.ts",
        '  hello: async () => (await import("./hello.ts")).hello,\n',
        "  emulator: async",
      ],
      [
        "cli/commands/commands.json",
        '  { "name": "hello", "group": "Tools", "description": "Say hello.", "examples": ["hello"] },\n',
        '  {\n    "name": "emulator"',
      ],
    ],
    missing: ["test/cli/help.test.ts", "docs/reference/cli/hello.md"],
    rest: [],
  },
  "Add a setting": {
    first: [
      [
        "cli/settings/settings.json",
        `  "greeting": {
    "argument": "<text>",
    "help": "greeting of a run",
    "group": "pace",
    "default": "hello",
    "inFile": "default"
  },
`,
        '  "parallelism": {',
      ],
      // Without it, no generator starts.
      ["cli/settings/table.ts", "  greeting: text,\n", "  parallelism: wholeNumber"],
    ],
    missing: [
      "test/cli/settings/trust.test.ts",
      "schemas/settings.schema.json",
      "docs/reference/configuration.md",
    ],
    rest: [
      ["test/cli/settings/trust.test.ts", '      greeting: { value: "hello" },\n', "      parallelism:"],
    ],
  },
  "Add a part": {
    first: [
      [
        "core/model/parts/greeting.ts",
        `import { path } from "../../api/index.ts";
import { flag, object } from "../schema/field.ts";
import { membersPart } from "./members.ts";

/** Whether a project greets. */
export const greeting = membersPart({
  name: "greeting",
  member: "greeting",
  pathOf: (id) => path\`/project/\${id}/greeting\`,
  schema: object("Greeting.", { loud: flag("Whether it greets loudly.", { default: false }) }, {
    default: {},
    resettable: false,
  }),
});
`,
      ],
      ["core/model/parts/index.ts", 'export { greeting } from "./greeting.ts";\n', "export { network }"],
      ["core/model/kinds/project.ts", "greeting, ", "secrets, variables }"],
      ["core/model/kinds/project.ts", "greeting, ", 'secrets("PROJECT"),'],
      ["emulator/environments/routes.ts", 'import { Type } from "typebox";\n', "import { cloneEnvironment"],
      [
        "emulator/environments/routes.ts",
        `  get("/project/{projectId}/greeting", () => ({ loud: false })),
  put("/project/{projectId}/greeting", Type.Object({ loud: Type.Boolean() }), ({ body }) => body),
`,
        '  get("/project/{projectId}", ',
      ],
    ],
    missing: ["test/emulator/every-operation.test.ts", "schemas/project.schema.json"],
    rest: [
      [
        "test/emulator/every-operation.ts",
        "  await client.put(`/project/${project.id}/greeting`, await client.get(`/project/${project.id}/greeting`));\n",
        "  const clusters = await client.list",
      ],
    ],
  },
  "Add a concern": {
    first: [
      [
        "core/planning/concerns/greeting.ts",
        `import type { Concern } from "../plan/planning.ts";

/** Greets whoever reads of a resource named hello. */
export const greeting: Concern = {
  name: "greeting",
  programs: true,
  note: {
    on: { nothing: true, source: "a copy is not greeted", existing: "it has been greeted" },
    run({ findings }, { given }) {
      if (given.address.names.at(-1) === "hello") findings.note({ code: "credential", message: "Hello." });
    },
  },
};
`,
      ],
      [
        "core/planning/concerns/index.ts",
        'import { greeting } from "./greeting.ts";\n',
        "import { unusedConsents }",
      ],
      ["core/planning/concerns/index.ts", "  greeting,\n", "  unmanaged,\n"],
    ],
    missing: ["test/core/planning/concerns/concerns.test.ts", "test/core/planning/concerns/steps.test.ts"],
    rest: [
      [
        "test/core/planning/concerns/steps.test.ts",
        '  "greeting, note": { documents: { nothing: job("hello", complete) } },\n',
        '  "unmanaged, note":',
      ],
    ],
  },
  "Add a Git host": {
    first: [
      [
        "adapters/forge/gitea.ts",
        `import { github } from "./github.ts";
import type { ForgeSystem } from "./system.ts";

/** Gitea, whose API is like that of GitHub. */
export const gitea: ForgeSystem = {
  ...github,
  title: "Gitea",
  pipelines: "Gitea Actions",
  publicServer: { host: "gitea.com", apiUrl: "https://gitea.com/api/v1" },
  hasApiAt: (path) => path.endsWith("/api/v1"),
  jobIn: () => Promise.resolve(undefined),
};
`,
      ],
      ["adapters/forge/forges.ts", 'import { gitea } from "./gitea.ts";\n', "import { github }"],
      ["adapters/forge/forges.ts", ", gitea", "];\n\n/** The Git host of an API"],
    ],
    missing: ["test/adapters/forge/forge.test.ts"],
    rest: [["test/fixtures/forges/gitea.ts", 'export * from "./github.ts";\n']],
  },
  "Add an assumption": {
    first: [
      [
        "test/conformance/assumptions/cases/names.ts",
        `  {
    name: "names-are-not-greeted",
    assumption: "The server returns no greeting.",
    reason: "A greeting is no field.",
    otherwise: "Nothing.",
    requests: 1,
    needs: "environment",
    async check(stage) {
      const { description } = await createJob(stage, "greeted", { description: "hello" });
      return description === "HELLO" ? differs("it shouts") : asAssumed("it does not");
    },
  },
`,
        "];\n\nfunction createAgain",
      ],
    ],
    missing: ["test/conformance/assumptions/cases.test.ts", "docs/reference/assumptions.md"],
    rest: [
      [
        "emulator/world/behaviour.ts",
        '    shouts: yes("a greeting is stored in capitals"),\n',
        "    trims_texts: yes",
      ],
      ["emulator/world/behaviour.ts", "shouts, ", "lowers_names, trims_texts, cpu_step }: Behaviour"],
      ["emulator/world/behaviour.ts", "shouts || ", "lowers_names || trims_texts"],
      [
        "emulator/world/behaviour.ts",
        '    ...(shouts && description === "hello" && { description: "HELLO" }),\n',
        "    ...(lowers_names &&",
      ],
      [
        "test/conformance/assumptions/servers.ts",
        '  [{ shouts: true }, ["names-are-not-greeted"]],\n',
        "  [{ trims_texts: true }",
      ],
      [
        "test/conformance/assumptions/reactions.ts",
        '  shouts: noMatter("a greeting is no field"),\n',
        "  trims_texts: ",
      ],
    ],
  },
  "Add a remedy": {
    first: [
      [
        "core/problems/remedy.ts",
        "  /** Greet somebody. */\n  | { greet: string }\n",
        "  /** Look at the statuses",
      ],
    ],
    missing: ["cli/render/remedies.ts", "provider/lifecycle/words.ts", "test/fixtures/every-remedy.ts"],
    rest: [
      ["cli/render/remedies.ts", '  if ("greet" in remedy) return "say hello";\n', '  if ("keepOne"'],
      ["provider/lifecycle/words.ts", '  if ("greet" in remedy) return "say hello";\n', '  if ("keepOne"'],
      ["test/fixtures/every-remedy.ts", '  { greet: "shop" },\n', "  { keepOne:"],
    ],
  },
  "Add a type of action": {
    first: [
      [
        "core/planning/plan/action-types.ts",
        '  greet: row(["*", "#", "plain"], ["greet", "greeting", "greeted", "greeting"]),\n',
        "  none: row(",
      ],
    ],
    missing: [
      "core/outputs/forms/action-form.ts",
      "core/outputs/forms/encode-plan.ts",
      "core/execution/execute/perform.ts",
      "reconciler/journal/words.ts",
      "reconciler/show/page/words.ts",
    ],
    rest: [
      [
        "core/outputs/forms/action-form.ts",
        '  greet: form("Greets.", { ...base, type: Type.Literal("greet") }),\n',
        "  none: form(",
      ],
      ["core/outputs/forms/encode-plan.ts", "    greet: ofAll,\n", "    none: ["],
      ["core/execution/execute/perform.ts", '    case "greet":\n', '    case "none":'],
      [
        "reconciler/show/page/words.ts",
        '  greet: "will be greeted",\n',
        '  none: "",\n};\n\n/** The differences of',
      ],
      ["reconciler/journal/words.ts", '  greet: "was not greeted",\n', '  none: "",'],
    ],
  },
  "Add an error code": {
    first: [["core/problems/codes.ts", '  greeted: "Somebody was greeted.",\n', "  declined:"]],
    missing: ["docs/reference/troubleshooting.md", "schemas/run.schema.json"],
    rest: [
      [
        "docs/reference/troubleshooting.md",
        "| `greeted` | Somebody was greeted. | Greet back. |\n",
        "| `declined` |",
      ],
    ],
  },
  Documentation: {
    first: [["docs/guides/greet.md", "# Greet\n\n```yaml\nkind: Project\nname: hello\n```\n"]],
    missing: ["test/docs/links.test.ts"],
    rest: [["docs/README.md", ", [greet](guides/greet.md)", " |\n| Describe services"]],
  },
};
