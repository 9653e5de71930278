import { describe, expect, test } from "vitest";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { type Declared, Stack } from "./stack.ts";
import { useStaging } from "./staging.ts";

const staging = useStaging();

describe("overrides and aliases of what a parent has", () => {
  const above = {
    "has nothing": [{}, {}],
    "has a variable": [{ variables: { PV: "open" } }, { variables: { PV: "open" } }],
    "has a secret": [{ secrets: { PV: "hidden" } }, { secrets: { PV: "hidden" } }],
    "gets a variable": [{}, { variables: { PV: "open" } }],
    "gets a secret": [{}, { secrets: { PV: "hidden" } }],
    "loses a variable": [{ variables: { PV: "open" } }, {}],
    "loses a secret": [{ secrets: { PV: "hidden" } }, {}],
  };
  const below = {
    "has a variable": { variables: { PV: "own" } },
    "has a secret": { secrets: { PV: "own" } },
    "overrides a variable": { variables: { PV: { value: "own", overrides: true } } },
    "overrides a secret": { secrets: { PV: { value: "own", overrides: true } } },
    "has an alias": { variables: { A: { aliasOf: "PV" } } },
  };
  const works: Record<string, readonly string[]> = {
    "overrides a variable": ["has a variable", "gets a variable"],
    "overrides a secret": ["has a secret", "gets a secret"],
    "has an alias": ["has a variable", "gets a variable", "has a secret", "gets a secret"],
  };

  test.each(Object.keys(above) as (keyof typeof above)[])("a parent that %s", async (change) => {
    const { server, nightly: job } = staging;
    const config = {
      "infrasync:baseUrl": server.emulator.url,
      "infrasync:token": server.emulator.tokens.admin,
      "infrasync:allowLosses": "**",
    };
    const [before = {}, after = {}]: readonly object[] = above[change];
    for (const level of ["Project", "Environment"])
      for (const use of Object.keys(below) as (keyof typeof below)[])
        for (const isNew of [true, false]) {
          const stack = new Stack(config, { HOME: "" }, server.clock);
          const name = `${change} ${use} ${level} ${isNew}`;
          const parent = (kind: string, inputs: object, more: object): Declared => ({
            kind,
            inputs: { ...inputs, ...(kind === level && more) } as Properties,
          });
          const programOf = (more: object, rest: Record<string, Declared> = {}) => ({
            project: parent("Project", { name }, more),
            ...(stack.state.get("project") && {
              environment: parent(
                "Environment",
                { project: stack.state.get("project")?.id ?? "", name: "staging" },
                more,
              ),
            }),
            ...rest,
          });
          const child = (more: object): Record<string, Declared> => ({
            job: {
              kind: "Job",
              inputs: { ...job(), environment: stack.state.get("environment")?.id ?? "", ...more },
            },
          });
          await stack.up(programOf(before));
          await stack.up(programOf(before));
          if (!isNew) await stack.up(programOf(before, child({})));
          const program = programOf(after, child(below[use]));
          const preview = await stack.preview(program).then(
            () => undefined,
            (error: unknown) => String(error),
          );
          const isRight = works[use]?.includes(change) ?? true;
          expect([name, preview]).toEqual([
            name,
            isRight ? undefined : expect.stringMatching(/no parent has|only a|there is no variable PV/),
          ]);
          if (!isRight) continue;
          await stack.up(program);
          expect([name, await stack.up(program)]).toEqual([name, []]);
        }
  });
});
