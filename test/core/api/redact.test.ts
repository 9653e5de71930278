import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { HiddenTexts, plainCause, redactor } from "../../../core/api/index.ts";

describe("redactor", () => {
  const cases: [token: string, text: string, expected: string][] = [
    ["abc", "Token abc, again abc", "Token [token], again [token]"],
    ["a/b+c", "in a URL: a%2Fb%2Bc", "in a URL: [token]"],
    ['a"b\\c', String.raw`in JSON: {"token":"a\"b\\c"}`, 'in JSON: {"token":"[token]"}'],
    ["a.c", "abc stays", "abc stays"],
    ["$&", "$& goes", "[token] goes"],
    ["s3cret-value", "cut off: s3cret-v… and s3c…", "cut off: [token]… and s3c…"],
  ];
  test.each(cases)("%s in %s", (token, text, expected) => {
    expect(redactor(token)(text)).toBe(expected);
  });
});

describe("a token of the usual length", () => {
  const token = "c4n/ry+T&<k>3n_0f-a-l0ng~s0rt'42";
  const redact = redactor(token);
  const half = token.length / 2;
  const entities = (numeric: (code: number) => string) =>
    [...token].map((char) => numeric(char.codePointAt(0) ?? 0)).join("");
  const base64 = (prefix: string, encoding: "base64" | "base64url" = "base64") =>
    Buffer.from(`${prefix}${token} and more`).toString(encoding);

  test.each([
    ["in base64", Buffer.from(token).toString("base64")],
    ["in base64 for URLs", Buffer.from(token).toString("base64url")],
    ["in a longer base64, 1st alignment", base64("abc")],
    ["in a longer base64, 2nd alignment", base64("a")],
    ["in a longer base64, 3rd alignment", base64("ab")],
    ["in a longer base64 for URLs, 2nd alignment", base64("a", "base64url")],
    ["in a URL", encodeURIComponent(token)],
    ["in a URL, in lower case", encodeURIComponent(token).replaceAll(/%../g, (hex) => hex.toLowerCase())],
    ["in a URL, all of it", entities((code) => `%${code.toString(16)}`)],
    [
      "in HTML",
      token.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("'", "&#39;"),
    ],
    ["in HTML, in decimals", entities((code) => `&#${code};`)],
    ["in HTML, in hexadecimals", entities((code) => `&#x${code.toString(16)};`)],
    ["in JSON, escaped", token.replaceAll("/", String.raw`\/`).replaceAll("<", String.raw`\u003c`)],
    ["in upper case", token.toUpperCase()],
    ["backwards", [...token].toReversed().join("")],
    ["in hexadecimals", Buffer.from(token).toString("hex")],
    ["in hexadecimals, in upper case", Buffer.from(token).toString("hex").toUpperCase()],
    ["in a program, in hexadecimals", entities((code) => String.raw`\x${code.toString(16)}`)],
    ["half of its hexadecimals", Buffer.from(token).toString("hex").slice(0, 32)],
    ["its first half, in upper case", token.slice(0, half).toUpperCase()],
    ["its first half", token.slice(0, half)],
    ["its second half", token.slice(half)],
    ["a half from the middle", token.slice(half / 2, half / 2 + half)],
    ["the first half of its base64", Buffer.from(token).toString("base64").slice(0, 22)],
  ])("is removed %s", (_name, text) => {
    const shown = redact(`see ${text}, please`);
    expect(shown).toContain("[token]");
    // Also the rest of a base64 text, whatever precedes the token.
    const decoded = ["", "A", "AA", "AAA"].map((prefix) => Buffer.from(prefix + shown.slice(11), "base64"));
    for (const seen of [shown, ...decoded.map(String)])
      for (let at = 0; at + 8 <= token.length; at += 1) {
        const piece = token.slice(at, at + 8);
        const reversed = [...piece].toReversed().join("");
        for (const form of [piece, piece.toUpperCase(), reversed, Buffer.from(piece).toString("hex")])
          expect(seen.toLowerCase()).not.toContain(form.toLowerCase());
      }
  });

  test.each(
    ["", "a", "ab"].flatMap((before) => ["", "1", "12"].map((end) => [before, token + end] as const)),
  )("nothing of its base64 stays at the end of a text, behind %j", (before, secret) => {
    const whole = Buffer.from(before + secret).toString("base64");
    const start = Math.ceil((before.length * 8) / 6);
    expect(redactor(secret)(`see ${whole}, please`)).toBe(`see ${whole.slice(0, start)}[token], please`);
  });

  test("all other text stays", () => {
    const text = `a c4n/r here, 3n_0f-a there, ${Buffer.from("another text").toString("base64")}`;
    expect(redact(text)).toBe(text);
  });

  test("a text of a million characters is redacted: the work grows with its length, not with its square", () => {
    const text = "c4n/ry+T&<k".repeat(100_000);
    expect(redact(text) === text).toBe(true);
  });
});

test.each([
  ["without the blanks around it", "  s3cret of the shop \n", "s3cret of the shop"],
  ["a line of it", "-----BEGIN KEY-----\nMIIEvQIBADAN\nBgkqhkiG9w0B\n", "at MIIEvQIBADAN:"],
  ["in base64, trimmed", " s3cret of the shop\n", Buffer.from("s3cret of the shop").toString("base64")],
])("a secret of several lines or with blanks is removed: %s", (_what, secret, text) => {
  const shown = redactor(secret, "[secret]")(text);
  expect(shown).toContain("[secret]");
  expect(shown).not.toMatch(/s3cret|czNj|MIIE/);
});

describe("plainCause", () => {
  const redact = redactor("secret");

  test("keeps name, message and code, and nothing else", () => {
    const error = Object.assign(new TypeError("no secret\u001b[0m", { cause: "secret" }), {
      code: "E1",
      options: { token: "secret" },
    });
    const plain = plainCause(error, redact);
    expect(plain).toMatchObject({ name: "TypeError", message: String.raw`no [token]\u001b[0m`, code: "E1" });
    expect(Object.getOwnPropertyNames(plain).toSorted()).toEqual(["code", "message", "name", "stack"]);
    expect(plain.stack).toBe(String.raw`TypeError: no [token]\u001b[0m`);
  });

  test("limits the size", () => {
    expect(plainCause(new Error("x".repeat(10_000)), redact).message).toHaveLength(501);
  });

  test("turns any value into an error", () => {
    expect(plainCause("the secret", redact).message).toBe("the [token]");
  });
});

test("a key of several kilobytes is removed, also where each of its characters is escaped", () => {
  const key = randomBytes(3_000).toString("base64");
  const escaped = [...key].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("");
  const shown = redactor(key, "[secret]")(`see ${key} and ${escaped}.`);
  expect(shown).toMatch(/^see \[secret\] and (?:\[secret\])+\.$/);
});

test("a secret that begins a longer one of another store leaves no rest", () => {
  const process = new HiddenTexts();
  const client = new HiddenTexts(process);
  process.hide("s3cret-of-the-shop");
  client.hide("s3cret-of-the-shop-and-more");
  client.hide("s3cret-of");
  process.hide("s3cret-of-the-shop-and-more-still");
  expect(client.redact("s3cret-of-the-shop-and-more, s3cret-of-the-shop-and-more-still, s3cret-of")).toBe(
    "[secret], [secret], [secret]",
  );
  expect(process.redact("s3cret-of-the-shop!")).toBe("[secret]!");
});
