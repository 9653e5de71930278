import { expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { kindCalled } from "../../../core/model/kinds/index.ts";
import { doubtfulValues, manifestsOf } from "../../../core/manifests/manifest/index.ts";
import { openCredentials, shownChange, shownValue } from "../../../core/rules/credentials.ts";

const letters = (count: number) => "aB3dE5gH7j".repeat(10).slice(0, count);

function kindOf(name: string) {
  const kind = kindCalled(name);
  if (!kind) throw new Error(`no kind ${name}`);
  return kind;
}

const job = kindOf("Job");

/** The sort of credential that the entry of a variable looks like. */
function whatIn(key: string, entry: Fields): string | undefined {
  return openCredentials(job, { variables: { [key]: entry } })[0]?.what;
}

test.each([
  ["a private key", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"],
  ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----"],
  ["a private key", "-----BEGIN PGP PRIVATE KEY BLOCK-----"],
  ["an AWS access key", `AKIA${"ABCDEFGH234567IJ"}`],
  ["a GitHub token", `ghp_${letters(36)}`],
  ["a GitHub token", `github_pat_${letters(40)}`],
  ["a GitLab token", `glpat-${letters(20)}`],
  ["a Slack token", `xoxb-${letters(20)}`],
  ["a Stripe key", `sk_live_${letters(24)}`],
  ["a Google API key", `AIza${letters(35)}`],
  ["an npm token", `npm_${letters(36)}`],
  ["a SendGrid key", `SG.${letters(22)}.${letters(43)}`],
  ["a JSON Web Token", `eyJ${letters(20)}.eyJ${letters(20)}.${letters(20)}`],
  ["a URL with a password", "postgresql://shop:hunter2@db.example.com:5432/shop"],
  ["a URL with a password", "postgresql://shop:hunter2@{{DB_HOST}}:5432/shop"],
  ["a URL with a password", "redis://:hunter2@cache:6379"],
  ["a URL with a token", "https://hunter2@github.com/acme/api"],
])("%s is recognised, whatever its key: %s", (what, value) => {
  expect(whatIn("X", { value })).toBe(what);
  expect(whatIn("X", { value: `dsn="${value}"` })).toBe(what);
  expect(whatIn("X", { file: { mount_path: "/x", text: value } })).toBe(what);
  expect(whatIn("X", { value: `{{PREFIX}}${value}`, interpolate: true })).toBe(what);
});

test.each([
  "DB_PASSWORD",
  "password",
  "API_TOKEN",
  "apiToken",
  "SECRET",
  "STRIPE_API_KEY",
  "APIKEY",
  "JWT_SIGNING_KEY",
])("a value under a key that names a credential is one: %s", (key) => {
  expect(whatIn(key, { value: "hunter2" })).toBe("a credential, by its key");
  expect(whatIn(key, { file: { mount_path: "/x", text: "hunter2" } })).toBe("a credential, by its key");
  const others: Fields[] = [
    { value: "" },
    { value: "true" },
    { value: "12" },
    { value: "{{OTHER}}" },
    { value: "${OTHER}" },
    { value: "{OTHER}", interpolate: true },
    { alias_of: "OTHER" },
    { external: { secret_manager: "id", reference: "prod/db" } },
  ];
  for (const entry of others) expect(whatIn(key, entry)).toBeUndefined();
});

test.each([
  ["PASSWORD_MIN_LENGTH", "hunter2"],
  ["TOKEN_URL", "https://auth.example.com/token"],
  ["SECRET_NAME", "shop"],
  ["KEYBOARD", "qwerty"],
  ["PUBLIC_KEY", "-----BEGIN PUBLIC KEY-----"],
  ["DATABASE_URL", "postgresql://db.example.com:5432/shop"],
  ["DATABASE_URL", "postgresql://{{DB_USER}}:{{DB_PASSWORD}}@db/shop"],
  ["DATABASE_URL", "postgresql://$DB_USER:$DB_PASSWORD@db/shop"],
  ["SITE", "https://example.com/a:b@c"],
  ["LOG_LEVEL", "info"],
])("%s with the value %s is no credential", (key, value) => {
  expect(whatIn(key, { value })).toBeUndefined();
  expect(shownValue(job, ["variables", key], value)).toBe(value);
});

const keyId = `AKIA${"ABCDEFGHIJKL2345"}`;
const s = "s3cret";

test.each<[kind: string, fields: Fields, shown: Fields]>([
  ["Job", { variables: { TOKEN: { value: s } } }, { variables: { TOKEN: { value: "[credential]" } } }],
  [
    "Application",
    { arguments: ["--password", s, `--token=${s}`, "--verbose", `-u https://x:${s}@h/`] },
    {
      arguments: [
        "--password",
        "[credential]",
        "--token=[credential]",
        "--verbose",
        "-u https://[credential]@h/",
      ],
    },
  ],
  ...[
    ["mysql", `-p${s}1`],
    ["-uroot", `-p${s}1`],
    ["curl", "-u", `admin:${s}`],
    ["login", "--db-pass", s],
    ["curl", "-H", `Authorization: Bearer ${s}1`],
  ].map((given): [string, Fields, Fields] => [
    "Application",
    { arguments: given },
    { arguments: given.map((each) => each.replace(/s3cret1?$/, "[credential]")) },
  ]),
  [
    "Helm",
    {
      values_override: {
        set_string: [["auth.password", s]],
        file: {
          raw: { values: [{ name: "a.yaml", content: `auth:\n  password: ${s}\n  existingSecret: db\n` }] },
        },
      },
    },
    {
      values_override: {
        set_string: [["auth.password", "[credential]"]],
        file: {
          raw: {
            values: [{ name: "a.yaml", content: "auth:\n  password: [credential]\n  existingSecret: db\n" }],
          },
        },
      },
    },
  ],
  [
    "Terraform",
    {
      terraform_variables_source: {
        tf_vars: [
          { key: "db_password", value: s },
          { key: "size", value: "9" },
        ],
      },
    },
    {
      terraform_variables_source: {
        tf_vars: [
          { key: "db_password", value: "[credential]" },
          { key: "size", value: "9" },
        ],
      },
    },
  ],
  [
    "Job",
    { description: `curl -H "Authorization: Bearer ${s}" --api-key ${s}` },
    { description: 'curl -H "Authorization: Bearer [credential]" --api-key [credential]' },
  ],
  ["Job", { secrets: { TOKEN: { from_env: "TOKEN" } } }, { secrets: { TOKEN: { from_env: "TOKEN" } } }],
  // The API shows the id of a key in the place of the key.
  ["AwsCredentials", { access_key_id: keyId }, { access_key_id: keyId }],
  ["ContainerRegistry", { config: { access_key_id: keyId } }, { config: { access_key_id: keyId } }],
  [
    "Job",
    { arguments: ["-p8080:80", "-u", "1000:1000", "--pass-through", "yes"] },
    { arguments: ["-p8080:80", "-u", "1000:1000", "--pass-through", "yes"] },
  ],
  ["AwsCredentials", { role_arn: keyId }, { role_arn: "[credential]" }],
])("people see a mark in the place of a credential: %s %j", (name, fields, shown) => {
  expect(shownValue(kindOf(name), [], fields)).toEqual(shown);
  expect(openCredentials(kindOf(name), fields).length > 0).toBe(
    JSON.stringify(shown).includes("[credential]"),
  );
});

test.each<[kind: string, path: string[], before: string, after: string, shown: [string, string]]>([
  ["Job", ["variables", "TOKEN"], s, "n3w", ["[credential]", "[another credential]"]],
  ["Job", ["variables", "TOKEN", "file", "text"], s, "n3w", ["[credential]", "[another credential]"]],
  [
    "Job",
    ["variables", "URL"],
    `redis://:${s}@a`,
    `redis://:${s}@b`,
    ["redis://[credential]@a", "redis://[credential]@b"],
  ],
  [
    "Terraform",
    ["terraform_variables_source", "tf_vars", "[db_password]", "value"],
    s,
    "n3w",
    ["[credential]", "[another credential]"],
  ],
])(
  "a change shows that a credential changes, and neither value: %s %j",
  (name, path, before, after, [left, right]) => {
    expect(shownChange(kindOf(name), { path, before, after })).toEqual({ path, before: left, after: right });
  },
);

test("a note on the name of an image has no password", async () => {
  const image_name = "https://ada:c4nary@registry.acme.com/web:1";
  const { documents } = await manifestsOf(
    [{ kind: "Container", environment: "shop/production", name: "web", image_name }],
    "program",
  );
  const messages = doubtfulValues(documents).map(({ message }) => message);
  expect(messages).toEqual([expect.stringContaining("contains more than a name")]);
  expect(messages.join()).not.toContain("c4nary");
});
