import { expect, test } from "vitest";
import { parseManifest } from "../../../core/manifest/index.ts";
import { job, report } from "./report.ts";

test("a document is a mapping", () => {
  expect(report("- kind: Job")).toMatchInlineSnapshot(`
    "1:1 a document is a list, not a mapping
        write members such as kind: Job; put --- between documents"
  `);
  expect(report("Job")).toMatchInlineSnapshot(`
    "1:1 a document is a single value, not a mapping
        write members such as kind: Job; put --- between documents"
  `);
});

test("kind", () => {
  expect(report("name: x")).toMatchInlineSnapshot(`
    "1:1 the document has no kind
        add kind: one of Project, Environment, Application, Job"
  `);
  expect(report("Kind: Job\nname: x")).toMatchInlineSnapshot(`
    "1:1 there is no member "Kind"
        did you mean kind?"
  `);
  expect(report("kind: job")).toMatchInlineSnapshot(`
    "1:7 kind is the text "job", not one of Project, Environment, Application, Job
        write kind: Job"
  `);
  expect(report("kind: Jbo")).toMatchInlineSnapshot(`
    "1:7 kind is the text "Jbo", not one of Project, Environment, Application, Job
        write kind: Job"
  `);
  expect(report("kind: Database")).toMatchInlineSnapshot(`
    "1:7 kind is the text "Database", not one of Project, Environment, Application, Job
        write one of Project, Environment, Application, Job"
  `);
  expect(report("kind:\nname: x")).toMatchInlineSnapshot(`
    "1:1 kind has no value
        write one of Project, Environment, Application, Job"
  `);
  expect(report("kind: [Job]")).toMatchInlineSnapshot(`
    "1:1 kind is a list, not one of Project, Environment, Application, Job
        write one of Project, Environment, Application, Job"
  `);
});

test("name", () => {
  const named = (name: string) => report(`kind: Project\nname: ${name}`);
  expect(report("kind: Project")).toMatchInlineSnapshot(`
    "1:1 the Project has no name
        add name (Its name; names that differ only by case are the same)"
  `);
  expect(report("kind: Project\nnmae: shop")).toMatchInlineSnapshot(`
    "2:1 the kind Project has no field "nmae"
        did you mean name?"
  `);
  expect(named("")).toMatchInlineSnapshot(`
    "2:1 name has no value
        write a text (Its name; names that differ only by case are the same)"
  `);
  expect(named('""')).toMatchInlineSnapshot(`
    "2:7 name: "" is empty
        write a name"
  `);
  expect(named('"  "')).toMatchInlineSnapshot(`
    "2:7 name: "  " is empty
        write a name"
  `);
  expect(named("123")).toMatchInlineSnapshot(`
    "2:7 name is the number 123, not a text
        put quotes around it, so that it is a text"
  `);
  expect(named("true")).toMatchInlineSnapshot(`
    "2:7 name is true, not a text
        put quotes around it, so that it is a text"
  `);
  expect(named('"a\\nb"')).toMatchInlineSnapshot(`
    "2:7 name: "a\\nb" has control characters in it
        write a name of printable characters on one line"
  `);
  expect(named('" shop"')).toMatchInlineSnapshot(`
    "2:7 name: " shop" begins or ends with a blank
        write "shop""
  `);
  expect(named('"shop\u00a0"')).toMatchInlineSnapshot(`
    "2:7 name: "shop " begins or ends with a blank
        write "shop""
  `);
  expect(named("[shop]")).toMatchInlineSnapshot(`
    "2:1 name is a list, not a text
        write a single text"
  `);
  expect(parseManifest("kind: Project\nname: a/b ÄÖ 💥", "x").documents[0]?.name).toBe("a/b ÄÖ 💥");
});

test("the parent", () => {
  const inside = (environment: string) => report(`kind: Job\nenvironment: ${environment}\nname: x`);
  expect(report("kind: Job\nname: x")).toMatchInlineSnapshot(`
    "1:1 the Job has no environment
        add environment: PROJECT/ENVIRONMENT"
  `);
  expect(report("kind: Job\nenviroment: shop/staging\nname: x")).toMatchInlineSnapshot(`
    "2:1 the kind Job has no field "enviroment"
        did you mean environment?"
  `);
  expect(report("kind: Job\nproject: shop\nname: x")).toMatchInlineSnapshot(`
    "2:1 the kind Job has no field "project"
        say where it is with environment: PROJECT/ENVIRONMENT"
  `);
  expect(inside("staging")).toMatchInlineSnapshot(`
    "2:14 environment: "staging" has one part, not two
        write PROJECT/staging"
  `);
  expect(inside("shop/staging/web")).toMatchInlineSnapshot(`
    "2:14 environment: "shop/staging/web" has three parts, not two
        write PROJECT/ENVIRONMENT; a slash inside a name is written %2F"
  `);
  expect(inside("shop/")).toMatchInlineSnapshot(`
    "2:14 environment: "shop/" has an empty part
        write PROJECT/ENVIRONMENT; a slash inside a name is written %2F"
  `);
  expect(inside("shop//staging")).toMatchInlineSnapshot(`
    "2:14 environment: "shop//staging" has an empty part
        write PROJECT/ENVIRONMENT; a slash inside a name is written %2F"
  `);
  expect(inside('"shop/ "')).toMatchInlineSnapshot(`
    "2:14 environment: "shop/ " has an empty part
        write PROJECT/ENVIRONMENT; a slash inside a name is written %2F"
  `);
  expect(inside('"shop/a\\tb"')).toMatchInlineSnapshot(`
    "2:14 environment: "shop/a\\tb" has control characters in it
        write a name of printable characters on one line"
  `);
  expect(inside("12")).toMatchInlineSnapshot(`
    "2:14 environment is the number 12, not a text
        put quotes around it, so that it is a text"
  `);
  expect(parseManifest("kind: Environment\nproject: a%2Fb\nname: x", "x").documents[0]?.parent).toBe("a%2Fb");
});

test("clone", () => {
  expect(report("kind: Project\nname: x\nclone: { from: y }")).toMatchInlineSnapshot(`
    "3:1 the kind Project has no field "clone"
        leave it out: the kind Project cannot be cloned"
  `);
  expect(report(job("clone: { from: migrate }"))).toMatchInlineSnapshot(`
    "4:16 clone.from: "migrate" has one part, not three
        write PROJECT/ENVIRONMENT/migrate"
  `);
  expect(report(job("clone: {}"))).toMatchInlineSnapshot(`
    "4:1 clone has no from
        add from (Job to clone: PROJECT/ENVIRONMENT/JOB)"
  `);
  expect(report(job("clone:"))).toMatchInlineSnapshot(`
    "4:1 clone has no value
        write its members: from"
  `);
  expect(report(job("clone: shop/production/nightly"))).toMatchInlineSnapshot(`
    "4:8 clone is the text "shop/production/nightly", not a mapping
        write its members: from"
  `);
  expect(report(job("clone: { form: shop/production/nightly }"))).toMatchInlineSnapshot(`
    "4:10 clone has no member "form"
        did you mean from?"
  `);
  expect(report(job("clone: { from: }"))).toMatchInlineSnapshot(`
    "4:10 clone.from has no value
        write a text (Job to clone: PROJECT/ENVIRONMENT/JOB)"
  `);
  expect(parseManifest(job("clone: { from: shop/production/nightly }"), "x").documents[0]?.clone).toEqual({
    from: "shop/production/nightly",
  });
});

test("manage", () => {
  expect(report(job("manage: { protect: yes, ignore: cpu, renamed_from: 1, id: abc }")))
    .toMatchInlineSnapshot(`
    "4:20 manage.protect is the text "yes", not true or false
        write protect: true
    4:33 manage.ignore is the text "cpu", not a list
        write ignore: ["cpu"]
    4:52 manage.renamed_from is the number 1, not a text
        put quotes around it, so that it is a text
    4:59 manage.id: "abc" is no id
        write the UUID that the API gives the resource"
  `);
  expect(report(job("manage: { protect: , keep: true }"))).toMatchInlineSnapshot(`
    "4:11 manage.protect has no value
        write true or false
    4:22 manage has no member "keep"
        it may have: protect, ignore, renamed_from, id"
  `);
  expect(report(job("manage: { prune: true }"))).toMatchInlineSnapshot(`
    "4:11 manage has no member "prune"
        leave it out: only the kind Environment holds services that can be pruned"
  `);
  expect(
    report(
      job("manage: { ignore: [schedule.cronjob.timezon, schedule.cronjob, source.image.tag, name, 5] }"),
    ),
  ).toMatchInlineSnapshot(`
    "4:20 manage.ignore[0]: "schedule.cronjob.timezon" is no field of the kind Job
        did you mean schedule.cronjob.timezone?
    4:82 manage.ignore[3]: "name" is no field of the kind Job
        write a field, or a path such as source.image
    4:88 manage.ignore[4] is the number 5, not a text
        put quotes around it, so that it is a text"
  `);
  const manage = {
    protect: true,
    prune: true,
    ignore: ["mode"],
    renamed_from: "old",
    id: "6d2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b",
  };
  expect(
    parseManifest(`kind: Environment\nproject: shop\nname: x\nmanage: ${JSON.stringify(manage)}`, "x")
      .documents[0]?.manage,
  ).toEqual(manage);
  expect(
    parseManifest(
      "kind: Application\nenvironment: a/b\nname: x\nmanage: { ignore: [ports, ports.name] }",
      "x",
    ).problems,
  ).toEqual([]);
});
