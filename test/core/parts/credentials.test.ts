import { expect, test } from "vitest";
import type { Fields } from "../../../core/json.ts";
import { credentialIn } from "../../../core/parts/credentials.ts";

const letters = (count: number) => "aB3dE5gH7j".repeat(10).slice(0, count);

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
  ["a URL with a password", "redis://:hunter2@cache:6379"],
])("%s is recognised, whatever its key: %s", (what, value) => {
  expect(credentialIn("X", { value })).toBe(what);
  expect(credentialIn("X", { value: `dsn="${value}"` })).toBe(what);
  expect(credentialIn("X", { file: { mount_path: "/x", text: value } })).toBe(what);
  expect(credentialIn("X", { value: `{{PREFIX}}${value}`, interpolate: true })).toBeUndefined();
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
  expect(credentialIn(key, { value: "hunter2" })).toBe("a credential, by its key");
  const others: Fields[] = [
    { value: "" },
    { value: "true" },
    { value: "12" },
    { value: "{{OTHER}}" },
    { value: "${OTHER}" },
    { alias_of: "OTHER" },
    { external: { secret_manager: "id", reference: "prod/db" } },
    { file: { mount_path: "/x", text: "nothing" } },
  ];
  for (const entry of others) expect(credentialIn(key, entry)).toBeUndefined();
});

test.each([
  ["PASSWORD_MIN_LENGTH", "hunter2"],
  ["TOKEN_URL", "https://auth.example.com/token"],
  ["SECRET_NAME", "shop"],
  ["KEYBOARD", "qwerty"],
  ["PUBLIC_KEY", "-----BEGIN PUBLIC KEY-----"],
  ["DATABASE_URL", "postgresql://db.example.com:5432/shop"],
  ["SITE", "https://user@example.com/a:b@c"],
  ["LOG_LEVEL", "info"],
])("%s with the value %s is no credential", (key, value) => {
  expect(credentialIn(key, { value })).toBeUndefined();
});
