import { expect, test } from "vitest";
import {
  credentialIn,
  hasUserInformation,
  valueWithoutCredentials,
  withoutCredentials,
} from "../../../core/redaction/credential-forms.ts";
import { isNamedCredential } from "../../../core/redaction/credential-names.ts";
import { declaredCredentials } from "../../../core/redaction/credentials.ts";
import { desiredOf } from "../../fixtures/desired.ts";
import { application, shop } from "../../fixtures/manifests.ts";

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
    expect(declaredCredentials({ [name]: address })).toEqual(hidden);
});

const X = "s3cretV4lue";

test.each([
  `{"password":"${X}"}`,
  `{"a":1,"db":{"dbPass": "${X}"}}`,
  `{\\"password\\":\\"${X}\\"}`,
  `password = ${X}`,
  `a=1\npassword = correct ${X} battery\nb=2`,
  `DB_PASS=${X}`,
  `export PGPASSWORD='${X}'`,
  `Bearer ${X}`,
  `Authorization: Basic ${X}`,
  `Basic dXNlcjpwYXNz`,
  `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${X}/+==;EndpointSuffix=core`,
  `Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=${X}=`,
  `https://hooks.slack.com/services/T0/B0/${X}`,
  `https://discord.com/api/webhooks/123/${X}`,
  `sk-proj-${X}${X}${X}`,
  `ghp_${X}${X}`,
  `glpat-${X}${X}`,
  `xoxb-${X}`,
  `mysql -uroot -p${X} db`,
  `curl -u admin:${X} https://x`,
  `curl --user admin:${X}`,
  `tool --password ${X} --x`,
  `tool --token=${X}`,
  `tool --db-pass ${X}`,
  `["--password","${X}"]`,
  `["--password", "${X}"]`,
  `[--password, ${X}]`,
  `user:\n  password: ${X}`,
  `password: |\n  ${X}\nnext: 1`,
  `<password>${X}</password>`,
  `//npm.example.com/:_authToken=${X}`,
  `machine x login y password ${X}`,
  `db:5432:shop:user:${X}`,
  `root:${X}@tcp(db:3306)/x`,
  `Server=x;User Id=sa;Pwd=${X};`,
  `https://x/?access_token=${X}&a=1`,
  `redis-cli -h x -a ${X}`,
  `docker login -u x -p ${X} r`,
  `spring.datasource.password=${X}`,
  `auth: ${X}`,
  `{"auths":{"r":{"auth":"dXNlcjpwYXNzd29yZDEx"}}}`,
  `password: "${X}`,
  `secret: ${X}`,
  `conn_str: admin:${X}@db/x`,
  `api-key: ${X}`,
  `apiKey = "${X}"`,
  `set PASSWORD=${X}`,
  `requirepass ${X}`,
  `MYSQL_PWD=${X} mysql`,
  `"password" : "${X}"`,
  `'dbPassword' => '${X}'`,
  `password := "${X}"`,
  `password=>${X}`,
  `spring: { password: ${X} }`,
])("of the value %j nothing of the credential is shown", (text) => {
  const shown = valueWithoutCredentials(text);
  expect(shown).toContain("[credential]");
  expect(shown).not.toMatch(/s3cret|V4lue|dXNlcjpw/);
  expect(credentialIn(text)).toBeDefined();
  expect(valueWithoutCredentials(shown)).toBe(shown);
});

test.each([
  `PASSENGER: maria1`,
  `password_reset_url: /x/y1`,
  `COMPASS=N0rth12`,
  `AUTH_MODE: oauth`,
  `TOKEN_TTL: "3600"`,
  `existingSecret: db-1`,
  `-p8080:80`,
  `docker run -u 1000:1000 x`,
  `authentication: oauth2`,
  `auth: basic`,
  `Basic authentication is on`,
  `bearer token`,
  `password: {{DB}}`,
  `password: \${DB}`,
  `password: $DB`,
  `--token=$TOKEN`,
  `max_tokens: 4096`,
  `next_token: x`,
  `partition_key: user1Id`,
  `git@github.com:acme/x`,
  `acme/api:1.2@sha256:0123456789abcdef`,
  `PWD=/app`,
  `a password is needed`,
  `--password-file /run/x`,
  `password_length=12`,
  `secretName: tls-1`,
  `SSO: 1`,
  `pass: true`,
  `npm run test -- --bail`,
  `https://hooks.slack.com/services/`,
  `key: value1A`,
  `keyboard=qwerty1`,
  `tokenizer: bpe32K`,
  `secretary: Bob1`,
  `-path /x1`,
  `KEY=1`,
  `auth_url: https://x/1`,
  `mysql --host db -P3306`,
  `task-list-of-many-things-in-the-house`,
  `risk-assessment-of-the-year-2024-x`,
  `PRIVATE_KEY_PATH=/x/1`,
  `tls.crt: abc1`,
  `Tokens per minute: 500`,
  `authorization: enabled`,
  `x-token-ttl: 300s`,
])("the value %j is no credential, and stays", (text) => {
  expect(valueWithoutCredentials(text)).toBe(text);
  expect(credentialIn(text)).toBeUndefined();
});

test.each(
  "dbPass PGPASS MYSQL_PWD DB_PASS dbPassword PGPASSWORD passwd pw DB_PW apikey API_KEY apiKey auth smtpPass SMTPPASS rootPwd LDAP_BIND_PW AUTHTOKEN accessToken PASSWORD_2 SECRET_KEY_BASE pass POSTGRES_PASS dbpass DBPASS PASSPHRASE CLIENT_SECRET credentials AWS_SECRET_ACCESS_KEY MASTER_KEY RABBITMQ_DEFAULT_PASS AUTH_HEADER webhookSecret HTPASSWD".split(
    " ",
  ),
)("%s is the name of a credential", (name) => {
  expect(isNamedCredential(name, X)).toBe(true);
  for (const setting of ["true", "12", "", "${OTHER}", "{{OTHER}}", "$OTHER", "***"])
    expect(isNamedCredential(name, setting)).toBe(false);
});

test.each(["dsn", "conn_str", "DATABASE_URL", "connectionString"])(
  "%s is the name of a connection: a user and a password in it are a credential",
  (name) => {
    expect(isNamedCredential(name, `shop:${X}@db/orders`)).toBe(true);
    for (const other of ["db.example.com:5432/orders", "shop@db/orders", "postgresql://db/orders"])
      expect(isNamedCredential(name, other)).toBe(false);
  },
);

test.each([
  ["PASSENGER", "maria1"],
  ["COMPASS", "n0rth12"],
  ["BYPASS", "s3cretV4lue"],
  ["AUTH_MODE", "oauth2"],
  ["AUTH", "oauth2"],
  ["AUTH", "scram-sha-256"],
  ["TOKEN_TTL", "3600"],
  ["MAX_TOKENS", "4096"],
  ["PWD", "/app"],
  ["PUBLIC_KEY", "s3cretV4lue"],
  ["password_reset_url", "/x/1"],
  ["EXISTING_SECRET", "db-1"],
])("%s with the value %s is no credential", (name, value) => {
  expect(isNamedCredential(name, value)).toBe(false);
});

test.each([
  ["eyJ-", 20_000],
  ['password="', 2000],
  ["authorization:", 20_000],
  ["password: |\n  x\n", 5000],
])("%j many times takes no time that grows with its square", (piece, count) => {
  expect(valueWithoutCredentials(piece.repeat(count)).length).toBeGreaterThan(0);
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
