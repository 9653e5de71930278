import { expect, test } from "vitest";
import { manifestsOf, parseManifest } from "../../../core/manifest/index.ts";
import { SecretReader } from "../../../core/secrets/index.ts";
import { oddityOf, standInFor, unfilledText } from "../../../core/source/stand-ins.ts";
import { parseVariableFile } from "../../../core/source/variable-file.ts";
import { refusedTexts } from "../../fixtures/stand-ins.ts";

test.each(refusedTexts)(
  "%s is refused as a value, as a file and as a secret",
  async (_what, text, message) => {
    expect(standInFor(text)?.message).toContain(message);
    const value = { kind: "Project", name: "shop", description: text };
    const { problems, documents } = manifestsOf([value], "program");
    expect(documents).toEqual([]);
    expect(problems).toMatchObject([{ code: "invalid", message: expect.stringContaining(message) }]);
    const reader = new SecretReader({ environment: { SHOP: text }, allowCommands: true });
    await expect(reader.read({ from_env: "SHOP" })).rejects.toThrow(message);
    await expect(
      reader.read({ from_command: `printf %s '${text.replaceAll("\n", "\\n")}' | sed 's/\\\\n/\\n/g'` }),
    ).rejects.toThrow(message);
    expect(await reader.judge({ from_env: "SHOP" })).toMatchObject({
      unreadable: expect.stringContaining(message),
    });
  },
);

test.each(refusedTexts.filter(([, , , isFile]) => isFile))(
  "a file that %s is refused as what it is",
  (_what, text, message) => {
    expect(parseManifest(text, "x.yaml").problems).toMatchObject([
      { message: expect.stringContaining(message) },
    ]);
    expect(parseVariableFile(text, "x.yaml").problems).toMatchObject([
      { message: expect.stringContaining(message) },
    ]);
  },
);

test.each([
  "usage: migrate [token]",
  "[credential]\n\thelper = store\n",
  "[secret]\n# comment\nkey = 1\n",
  "<<<<<<<\nno conflict",
  "==== heading ====",
  "version 2",
  "ENC[PKCS7,abc]",
])("%j may be a value", (text) => {
  expect(standInFor(text)).toBeUndefined();
});

test.each([
  ["undefined", "a value that it lacks"],
  ["[object Object]", "a value that it lacks"],
  ["***", "is a mask"],
  ["<redacted>", "is a mask"],
  ["ENC[PKCS7,abc]", "is ciphertext"],
  ["op://vault/item/field", "names a place in a store of secrets"],
  ["{{ .Values.x }}", "expression of a template"],
  ["{% x %}", "expression of a template"],
  ["<%= x %>", "expression of a template"],
  ["$NAME", "write ${NAME}"],
  ["$(cat x)", "is sent as it is"],
  ["%NAME%", "is sent as it is"],
])("%j is told as a value and as a name", (text, message) => {
  expect(unfilledText(text)).toContain(message);
  expect(oddityOf(text)).toContain(message);
});

test.each([
  "{{KEY}}",
  "jdbc://{{DB_HOST}}:5432",
  "a $NAME b",
  "100%",
  "x",
  "null",
  "{{ .Values.x }}\nof a file",
])("%j may be meant", (text) => {
  expect(unfilledText(text)).toBeUndefined();
});

test.each([
  [" s3cret", "begins or ends with a blank"],
  ["s3cret\t", "begins or ends with a blank"],
  ["s3cret\n", "line break"],
  ["a\r\nb", "CRLF"],
  ['"s3cret"', "in quotes"],
  ["s3\u200Bcret", "without a width"],
])("the secret %j is odd, and is not shown", async (value, message) => {
  const { oddity } = await new SecretReader({ environment: { S: value }, allowCommands: false }).judge({
    from_env: "S",
  });
  expect(oddity).toContain(message);
  expect(oddity).not.toContain("s3");
});

test("a byte order mark before a secret is left out and told", async () => {
  const reader = new SecretReader({ environment: { S: "\uFEFFvalue" }, allowCommands: false });
  expect(await reader.read({ from_env: "S" })).toBe("value");
  expect(await reader.judge({ from_env: "S" })).toEqual({
    oddity: "has a byte order mark before it, which is left out",
  });
});
