import { expect, test } from "vitest";
import { hasUserInformation, withoutCredentials } from "../../core/credential-forms.ts";
import { statedCredentials } from "../../core/credentials.ts";
import { desiredOf } from "../fixtures/desired.ts";
import { application, shop } from "../fixtures/manifests.ts";

test.each([
  ["https://oauth2:s3cret@git.acme.example/acme/api", "https://[credential]@git.acme.example/acme/api"],
  ["https://s3cret@github.com/acme/api", "https://[credential]@github.com/acme/api"],
  ["postgres://u:s3cret@db/orders", "postgres://[credential]@db/orders"],
  [`--token=ghp_${"s3cret".repeat(6)}`, "--token=[credential]"],
  ["-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----\n", "[credential]\n"],
  ["ssh://git@github.com/acme/api", "ssh://git@github.com/acme/api"],
  ["git@github.com:acme/api", "git@github.com:acme/api"],
  ["https://github.com/acme/api?by=a@b", "https://github.com/acme/api?by=a@b"],
])("%j is shown as %j", (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
  expect(hasUserInformation(text)).toBe(/^\w+:\/\/.*\[/.test(shown));
});

test.each([
  ["postgres://u@db/x?sslmode=require&password=s3cret%2Fword", ["s3cret%2Fword", "s3cret/word"]],
  ["postgres://u:s3cret@db/x?SSLPassword=other-s3cret", ["s3cret", "other-s3cret"]],
  ["redis://cache:6379?api_key=s3cret&token=t0ken", ["s3cret", "t0ken"]],
  ["postgres://u@db/x?application_name=infrasync&passfile=/run/pass", []],
])("of the configured address %j, %j is hidden", (address, hidden) => {
  for (const name of ["INFRASYNC_DATABASE", "INFRASYNC_SOURCES"])
    expect(statedCredentials({ [name]: address })).toEqual(hidden);
});

test("a long text takes no time that grows with its square", () => {
  const text = "a.".repeat(200_000);
  expect(withoutCredentials(text)).toBe(text);
});

test.each(["https://oauth2:s3cret@github.com/acme/api", "https://s3cret@github.com/acme/api"])(
  "a git URL with a credential is refused, and no message and no line shows it",
  (url) => {
    const { problems } = desiredOf(shop + application("api").replace("https://github.com/acme/api", url));
    expect(problems.map(({ message }) => message)).toEqual([
      'git_repository.url: "https://[credential]@github.com/acme/api" has a user or a token in it, which everyone who sees the resource can read',
    ]);
    expect(JSON.stringify(problems)).not.toContain("s3cret");
  },
);
