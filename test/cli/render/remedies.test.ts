import { expect, test } from "vitest";
import { adviceOf, phrase, withServiceAdvice } from "../../../cli/render/remedies.ts";
import type { Help } from "../../../core/problems/remedy.ts";
import { remedies } from "../../fixtures/every-remedy.ts";

test("the command line describes every remedy with its flags and commands", () => {
  expect(remedies.map(phrase)).toMatchInlineSnapshot(`
    [
      "check --base-url",
      "set --base-url https://api.example.com",
      "check --organization",
      "set --organization to one of: acme (1), other (2)",
      "list them with --strict",
      undefined,
      "allow it with INFRASYNC_INSECURE_HTTP=true",
      "let infrasync wait with --on-quota wait",
      "set quota_patience to a longer time in the settings file",
      "raise --max-requests",
      "allow this many with --max-deletes 30%",
      "raise max_deletes in infrasync.config.yaml to 30%: no flag can exceed the file",
      "set clone_timeout, or INFRASYNC_CLONE_TIMEOUT, to a longer time",
      "add them with --target 'shop/**'",
      "choose one with --config",
      "if you trust the file, choose it with --config infrasync.config.yaml; otherwise choose a file of your own with --config",
      "apply it with infrasync apply --plan FILE",
      "choose another file with --out",
      "use a file that infrasync plan --out has written",
      "allow them with --allow-commands",
      "let them read it with INFRASYNC_ALLOW_ENV",
      "let them read it with INFRASYNC_ALLOW_ENV=SHOP_DB",
      "allow those of a folder with INFRASYNC_SECRETS_DIR",
      "name a file for it with --secrets-out",
      "name the token that this run uses with INFRASYNC_TOKEN_NAME",
      "take "job:shop/**" out of \`protect\` in the settings file",
      "allow it with --allow-replace 'job:shop/staging/migrate'",
      "allow it with --allow-replace 'job:shop/staging/migrate', or with \`manage: { consent: replace-0123456789abcdef }\` in its document",
      "allow it with --allow-replace 'job:shop/staging/migrate' --allow-replace 'job:shop/staging/old'",
      "allow it with \`manage: { consent: unprotect-0123456789abcdef }\` in the document of environment:shop/live",
      "ask a reviewer to approve this plan, and apply it with --expect and its digest",
      "delete them with --prune",
      "allow it with --prune and \`manage: { prune: true }\` in its document",
      "remove manage.protect from the document of environment:shop/production, or from the defaults that set it",
      "look at it in the web console",
      "delete the resource, such as with infrasync destroy --target, and apply again to create a new one",
      "apply the manifest that follows to create it again",
      "when it is gone, apply the manifest that follows to create it again",
      "delete all but one in the web console",
      "give the document the name "nightly-report", or set manage.id to 00000000-0000-4000-8000-000000000001",
      "see infrasync status",
      "let infrasync init write manifests of the live resources",
      "plan again",
      "run again to continue, which is safe",
      "run again later",
      undefined,
      "declare it",
      "name one of: build, test",
      "declare them or move them away",
      "delete them first, or declare them",
      "declare it, or delete it first",
      "set secret: true and where its value comes from, such as from_env, or secret: false",
      "remove the field, or remove clone and declare all fields",
      "set variables: { KEY: null } as well, to make the variable a secret; or declare KEY under variables",
      "write { alias_of: KEY }, or another value",
      "write that name, and to rename it add manage: { renamed_from: acme }",
      "choose another name",
      "choose another name",
      "choose another name",
      "choose another name",
      "for a new resource, set manage: { beside: ["nightly"] }; to rename the live one, set manage: { renamed_from: "nightly" }",
    ]
  `);
});

test("advice and remedies are joined as alternatives in one sentence", () => {
  const help: Help = {
    advice: "undo the change",
    remedies: [{ setting: "max_deletes", value: "3" }, { again: "plan" }],
  };
  expect(adviceOf(help)).toBe("undo the change, or allow this many with --max-deletes 3, or plan again");
  expect(adviceOf({})).toBeUndefined();
});

test("a reconciler names the approval that it takes, and no flag", () => {
  const problem = {
    message: "the rollback to 1a2b3c4 would delete Job shop/staging/b",
    advice: "end the rollback",
    remedies: [{ consent: "policy" as const, name: "rollback" }],
  };
  expect(withServiceAdvice(problem)).toBe(
    "the rollback to 1a2b3c4 would delete Job shop/staging/b; end the rollback, or ask a reviewer to approve this plan: infrasync reconcile approve",
  );
});
