import { expect, test } from "vitest";
import { concerns } from "../../../../core/planning/concerns/index.ts";
import { bases } from "../../../../core/planning/plan/overlay.ts";
import { World } from "../plan/world.ts";

const hooks = ["state", "compare", "refuse", "note"] as const;

test("each step says for each base that it runs, or why not", () => {
  const table = concerns.flatMap((concern) =>
    hooks.flatMap((hook) => {
      const step = concern[hook];
      return step
        ? [
            `${concern.name}, ${hook}: ${bases.map((base) => (step.on[base] === true ? base : `(${step.on[base]})`)).join(", ")}`,
          ]
        : [];
    }),
  );
  expect(table.join("\n")).toMatchInlineSnapshot(`
    "live parts, state: (a new resource has no parts), source, existing
    ignore, state: (later changes by others are ignored; a new resource gets all declared fields), (later changes by others are ignored; a new resource gets all declared fields), existing
    exclusive, state: (a new resource has no parts to remove), source, existing
    dependents, state: (a new resource has no parts to remove), source, existing
    rotation, state: (every secret of a new resource is written), source, existing
    rotation, refuse: (it has no name on the server yet), (the copy has no name on the server yet), existing
    references, state: nothing, source, existing
    siblings, state: (a new resource has no references before it exists), (the references of a clone are unknown before it exists), existing
    siblings, refuse: nothing, source, existing
    outputs, state: (there is nothing to compare with), source, existing
    names, compare: (a new resource gets the name of its document), (a new resource gets the name of its document), existing
    names, refuse: nothing, source, (it has been found)
    names, note: nothing, source, (it has been found)
    normalized, compare: (the server has not answered yet), (the server has not answered yet), existing
    given, refuse: nothing, (no such kind can be cloned), (it exists)
    possible, refuse: nothing, source, existing
    other sorts, refuse: (nothing is there yet), source, existing
    other sorts, note: nothing, source, existing
    needs, refuse: nothing, source, existing
    values, refuse: nothing, source, existing
    values, note: nothing, source, existing
    unmanaged, note: (a new resource has only the fields of its document), (a new resource has only the fields of its document), existing
    owner, refuse: (nothing is there), (the copy is not there yet), existing"
  `);
});

const live = `
project:shop:
environment:shop/staging:
job:shop/staging/a: { variables: [LEVEL, { key: TOKEN, is_secret: true }] }
`;

const mistakes = `
deployment_stage: nowhere
source: { image: { registry: mars } }
healthchecks: {}
variables:
  TOKEN: plain
  ALIAS: { alias_of: NOWHERE }
  SAME: LEVEL
  HOST: { from: "database:orders", output: host_internal }
`;

const mistakesOf = (text: string) => {
  const { problems, actions } = World.of(live).plan(
    `kind: Job\nenvironment: shop/staging\n${text}\n${mistakes}`,
  );
  expect(actions).toEqual([]);
  return problems.map(({ code, message }) => `${code}: ${message}`).join("\n");
};

test("a new resource with mistakes of different sorts reports them all at once", () => {
  expect(mistakesOf("name: other")).toMatchInlineSnapshot(`
    "reference: Job shop/staging/other: there is no container registry "mars"
    reference: Job shop/staging/other: there is no DeploymentStage "nowhere" in Environment shop/staging, and no document declares one
    reference: Job shop/staging/other: variables.HOST: there is no Database "orders" in Environment shop/staging, and no document declares one
    invalid: Job shop/staging/other: the resource does not exist, and for its creation schedule is needed
    invalid: Job shop/staging/other: the resource does not exist, and for its creation source.image.image_name is needed
    invalid: Job shop/staging/other: the resource does not exist, and for its creation source.image.tag is needed
    reference: Job shop/staging/other: variables.ALIAS: there is no variable NOWHERE"
  `);
});

test("a clone with mistakes of different sorts reports them all at once", () => {
  expect(mistakesOf("name: copy\nclone: { from: shop/staging/a }\nschedule: { on_start: {} }"))
    .toMatchInlineSnapshot(`
      "reference: Job shop/staging/copy: there is no container registry "mars"
      reference: Job shop/staging/copy: there is no DeploymentStage "nowhere" in Environment shop/staging, and no document declares one
      reference: Job shop/staging/copy: variables.HOST: there is no Database "orders" in Environment shop/staging, and no document declares one
      impossible: Job shop/staging/copy: a clone cannot differ from its source in schedule.cronjob: a cron job cannot become a lifecycle job, nor the other way round
      exists: Job shop/staging/copy: variables.TOKEN: TOKEN is a secret already, and writing the variable would overwrite it
      reference: Job shop/staging/copy: variables.ALIAS: there is no variable NOWHERE
      impossible: Job shop/staging/copy: variables.SAME: its value is the key of another variable, so the API makes it an alias of LEVEL"
    `);
});

test("a live resource with mistakes of different sorts reports them all at once", () => {
  expect(mistakesOf("name: a")).toMatchInlineSnapshot(`
    "reference: Job shop/staging/a: there is no container registry "mars"
    reference: Job shop/staging/a: there is no DeploymentStage "nowhere" in Environment shop/staging, and no document declares one
    reference: Job shop/staging/a: variables.HOST: there is no Database "orders" in Environment shop/staging, and no document declares one
    exists: Job shop/staging/a: variables.TOKEN: TOKEN is a secret already, and writing the variable would overwrite it
    reference: Job shop/staging/a: variables.ALIAS: there is no variable NOWHERE
    impossible: Job shop/staging/a: variables.SAME: its value is the key of another variable, so the API makes it an alias of LEVEL"
  `);
});

test("each concern says that it is asked for programs, or why not", () => {
  const requested = concerns.filter(({ programs }) => programs === true).map(({ name }) => name);
  expect(requested.join(", ")).toMatchInlineSnapshot(
    `"live parts, ignore, dependents, references, siblings, outputs, names, normalized, given, possible, other sorts, needs, values, referrers, infrastructure, policies, suspension, keeps one, own token, protection, losses, owner, contents, caps"`,
  );
  for (const { name, programs } of concerns)
    if (programs !== true) expect(programs, name).toMatch(/^[a-z].{20,}[^.]$/);
});
