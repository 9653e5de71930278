import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  doubtfulValues,
  loadManifests,
  manifestsOf,
  parseManifest,
} from "../../../core/manifests/manifest/index.ts";
import { SecretReader } from "../../../core/secrets/index.ts";
import { readSettingsText } from "../../../core/manifests/settings/file.ts";
import { standInFor, unfilledText } from "../../../core/source/stand-ins.ts";
import { parseVariableFile } from "../../../core/source/variable-file.ts";
import { refusedTexts, reportedOfSecrets, reportedParts, reportedTexts } from "../../fixtures/stand-ins.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-stand-ins-"));
});
afterAll(() => removeFolder(folder));

/** What a door says about a text. */
type Door = (text: string) => Promise<string[]>;

const variable = (text: string) => ({ kind: "Project", name: "shop", variables: { X: text } });

/** Where a secret comes from. */
const sources: Record<string, Door> = {
  "a secret from a file": async (text) => {
    await writeFile(join(folder, "s.txt"), text);
    return said(await sourcesOf().readAtOnce({ from_file: join(folder, "s.txt") }));
  },
  "a secret from the environment": async (text) =>
    said(await sourcesOf({ S: text }).readAtOnce({ from_env: "S" })),
};

/** Where a text stands in a document, in the place of a value. */
const documents: Record<string, Door> = {
  "the value of a variable": async (text) => notes(manifestsOf([variable(text)], "program")),
  "a mounted file": async (text) => {
    await writeFile(join(folder, "x.txt"), text);
    const file = join(folder, "a.yaml");
    await writeFile(
      file,
      "kind: Project\nname: shop\nvariables: { X: { file: { mount_path: /x, from: x.txt } } }\n",
    );
    return notes(await loadManifests([file]));
  },
};

/** Files in which a text is all that there is. */
const files: Record<string, Door> = {
  // Of a file of SOPS, only one with a kind is a manifest.
  "a manifest": async (text) =>
    messages(
      parseManifest(
        /"sops"/.test(text)
          ? text.replace("{", '{"kind":"Job",')
          : text.replace(/^(?=A: ENC)/, "kind: Job\n"),
        "x.yaml",
      ),
    ),
  "a variable file": async (text) => messages(parseVariableFile(text, "x.yaml")),
  settings: async (text) => messages(await readSettingsText(text, "x.yaml")),
};

/** Where nothing is told, and what is no value is refused. */
const values: Record<string, Door> = {
  "a setting": async (text) =>
    messages(await readSettingsText(`protect: [${JSON.stringify(text)}]`, "x.yaml")),
};

const sourcesOf = (environment = {}) => new SecretReader({ environment, allowCommands: false });
const said = ({ unreadable = "", oddity = "" }) => [unreadable, oddity];
const messages = ({ problems }: { problems: { message: string }[] }) =>
  problems.map(({ message }) => message);
const notes = (read: Awaited<ReturnType<typeof manifestsOf>>) => [
  ...messages(read),
  ...messages({ problems: doubtfulValues(read.documents) }),
];

/** Each text with each door. */
function table(doors: Record<string, Door>, texts: readonly (readonly [text: string, message: string])[]) {
  return Object.entries(doors).flatMap(([name, door]) =>
    texts.map(([text, message]) => [name, JSON.stringify(text), text, message, door] as const),
  );
}

const refused = refusedTexts.map(([, text, message]) => [text, message] as const);
const refusedFiles = refusedTexts
  .filter(([, , , isFile]) => isFile)
  .map(([, text, message]) => [text, message] as const);

test.each([
  ...table({ ...sources, ...documents, ...values }, [...refused, ...reportedTexts, ...reportedParts]),
  ...table(sources, reportedOfSecrets),
  ...table(files, [...refusedFiles, ...reportedTexts]),
])("%s says that it is no value: %s", async (_door, _shown, text, message, door) => {
  expect((await door(text)).join("; ")).toContain(message);
});

test.each(table({ ...sources, ...documents }, refused))("%s is refused: %s", async (name, _shown, text) => {
  expect(standInFor(text)).toBeDefined();
  if (name.startsWith("a secret"))
    expect((await sourcesOf({ S: text }).readAtOnce({ from_env: "S" })).unreadable).toBeDefined();
  else expect(manifestsOf([variable(text)], "program").documents.length).toBe(0);
});

test.each(["settings", "a variable file"])(
  "the advice for %s that sops has encrypted names no source of a secret",
  async (door) => {
    const text = "protect: ENC[AES256_GCM,data:abc=]\nsops:\n  mac: x\n";
    const { problems } =
      door === "settings" ? await readSettingsText(text, "x.yaml") : parseVariableFile(text, "x.yaml");
    expect(problems).toMatchObject([{ advice: "decrypt it before, with sops decrypt" }]);
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

test.each(["{{KEY}}", "jdbc://{{DB_HOST}}:5432", "a $NAME b", "100%", "x", "{{ .Values.x }}\nof a file"])(
  "%j may be meant",
  (text) => {
    expect(unfilledText(text)).toBeUndefined();
  },
);

test.each([
  [" s3cret", "begins or ends with a blank"],
  ["s3cret\t", "begins or ends with a blank"],
  ["s3cret\n", "line break"],
  ["a\r\nb", "CRLF"],
  ['"s3cret"', "in quotes"],
  ["s3\u200Bcret", "without a width"],
])("the secret %j is odd, and is not shown", async (value, message) => {
  const { oddity } = await new SecretReader({ environment: { S: value }, allowCommands: false }).readAtOnce({
    from_env: "S",
  });
  expect(oddity).toContain(message);
  expect(oddity).not.toContain("s3");
});

test("a byte order mark before a secret is left out and told", async () => {
  const reader = new SecretReader({ environment: { S: "\uFEFFvalue" }, allowCommands: false });
  expect(await reader.read({ from_env: "S" })).toBe("value");
  expect(await reader.readAtOnce({ from_env: "S" })).toEqual({
    value: "value",
    oddity: "has a byte order mark before it, which is left out",
  });
});

test.each([
  ["a\r\nb", "line breaks of Windows (CRLF)"],
  ["\uFEFFa\nb", "begins with a byte order mark"],
  ["a\u200Bb", "characters without a width"],
])("a mounted file %j is told and stays as it is", async (text, message) => {
  await writeFile(join(folder, "x.txt"), text);
  const file = join(folder, "a.yaml");
  await writeFile(
    file,
    "kind: Project\nname: shop\nvariables: { X: { file: { mount_path: /x, from: x.txt } } }\n",
  );
  const read = await loadManifests([file]);
  expect(notes(read)).toEqual([expect.stringContaining(message)]);
  expect(read.documents).toMatchObject([{ fields: { variables: { X: { file: { text } } } } }]);
});
