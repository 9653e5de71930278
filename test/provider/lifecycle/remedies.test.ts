import { expect, test } from "vitest";
import { phrase, withAdvice } from "../../../provider/lifecycle/words.ts";
import { remedies } from "../../fixtures/every-remedy.ts";

test("the provider describes every remedy in the terms of Pulumi, and omits remedies that Pulumi does not have", () => {
  expect(remedies.map((remedy) => phrase(remedy) ?? null)).toMatchInlineSnapshot(`
    [
      "check infrasync:baseUrl (or INFRASYNC_BASE_URL)",
      "set infrasync:baseUrl (or INFRASYNC_BASE_URL) to https://api.example.com",
      "check infrasync:organization (or INFRASYNC_ORGANIZATION)",
      "set infrasync:organization (or INFRASYNC_ORGANIZATION) to one of: acme (1), other (2)",
      null,
      null,
      "allow it: set infrasync:insecureHttp (or INFRASYNC_INSECURE_HTTP) to true",
      "let the provider wait: set infrasync:onQuota (or INFRASYNC_ON_QUOTA) to wait",
      null,
      null,
      "raise infrasync:maxDeletes (or INFRASYNC_MAX_DELETES)",
      "raise max_deletes in infrasync.config.yaml",
      "raise infrasync:cloneTimeout (or INFRASYNC_CLONE_TIMEOUT)",
      null,
      null,
      "let infrasync.config.yaml belong to the user who runs the program",
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      "delete it in the web console, and run \`pulumi refresh\`",
      "take the pattern job:shop/** out of infrasync:protect (or INFRASYNC_PROTECT)",
      "allow it: add job:shop/staging/migrate to infrasync:allowLosses (or INFRASYNC_ALLOW_LOSSES)",
      "allow it: add job:shop/staging/migrate to infrasync:allowLosses (or INFRASYNC_ALLOW_LOSSES)",
      "allow it: add job:shop/staging/migrate and job:shop/staging/old to infrasync:allowLosses (or INFRASYNC_ALLOW_LOSSES)",
      null,
      null,
      null,
      "to delete all of it, set \`deleteContents: true\`, run \`pulumi up\`, and delete it then",
      null,
      "look at it in the web console",
      "run \`pulumi up\` again, which deletes the resource and creates a new one",
      "run \`pulumi refresh\`, then \`pulumi up\`, to create it again",
      "when it is gone, run \`pulumi refresh\`, then \`pulumi up\`, to create it again",
      "delete all but one in the web console",
      "set name to "nightly-report" in the program",
      null,
      null,
      "run \`pulumi refresh\`, then \`pulumi up\`",
      "run \`pulumi up\` again to continue",
      "run \`pulumi up\` again later",
      "if the program no longer has the resource that has this value, run \`pulumi up\` without the value first, which deletes that resource",
      "make the name of that resource an input, so that it is created first",
      "name one of: build, test",
      "delete them, or move them away",
      "delete them first",
      "delete it first, or, to delete all of it, set \`deleteContents: true\`, run \`pulumi up\`, and delete it then",
      "set secret: true or secret: false beside it",
      "remove the field, or remove cloneFrom and declare all inputs",
      "declare KEY under variables and run \`pulumi up\`; to make the variable a secret, move it to secrets after that",
      "write { aliasOf: KEY }, or another value",
      "write that name, and run \`pulumi up\` with another name to rename it",
      "set \`aliases\` to its earlier name in the program, or \`adopt: true\` to adopt it, or choose another name",
      "choose another name, or make this change in a later run if the program renames or removes the other one",
      "remove one of the two from the program (\`pulumi state delete\` removes it from the state and keeps the Job), or, if the other is an earlier name of this one, add \`aliases\`",
      "give it another name; or undo the change, run \`pulumi up\`, remove \`deleteBeforeReplace: false\` or \`retainOnDelete: true\`, run \`pulumi up\` again, and then make the change",
      "for the live resource, set the name to "nightly", and set \`adopt: true\`",
    ]
  `);
});

test("no remedy names a flag of the command line, and an omitted remedy leaves no text", () => {
  for (const remedy of remedies) expect(phrase(remedy) ?? "").not.toMatch(/--[a-z]|plan again/);
  expect(withAdvice("it fails", { remedies: [{ consent: "prune" }] })).toBe("it fails");
});
