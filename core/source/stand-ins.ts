import { isFields, type Json } from "../json.ts";
import { type DocumentMistake, type Mistake, type Path, showPath } from "./mistake.ts";

/** Content that stands for other content, by how it begins or looks, with the way to the other. The message ends a sentence. */
const forms: readonly (Mistake & { form: RegExp })[] = [
  {
    form: /^version https:\/\/git-lfs\.github\.com\/spec\//,
    message: "is a pointer of git LFS, and its content is not fetched",
    advice: "run git lfs pull, or have the checkout of the job fetch LFS",
  },
  {
    form: /^\/?(?:\.git\/)?annex\/objects\//,
    message: "is a pointer of git-annex, and its content is not fetched",
    advice: "run git annex get",
  },
  {
    form: /^\0GITCRYPT\0/,
    message: "is encrypted by git-crypt",
    advice: "run git-crypt unlock before",
  },
  {
    form: /^\$ANSIBLE_VAULT;/,
    message: "is encrypted by Ansible Vault",
    advice: "use from_command with ansible-vault decrypt, or another source",
  },
  {
    form: /^(?:age-encryption\.org\/v1\n|-----BEGIN AGE ENCRYPTED FILE-----)/,
    message: "is encrypted by age",
    advice: "use from_command with age -d, or another source",
  },
  {
    form: /^<{7}(?: .*)?$[^]*^={7}$[^]*^>{7}(?: .*)?$/m,
    message: "has the marks of a merge conflict",
    advice: "resolve the conflict",
  },
];

/** A text that sops has encrypted. Files of such texts lie beside manifests, which name them. */
const ciphertext = {
  form: /\bENC\[AES256_GCM,data:/,
  message: "is ciphertext of SOPS",
  advice: "state a secret with from_sops: FILE#KEY, which decrypts it",
};

/** The marks that outputs have in the place of what they do not show; `[secret]` alone is also a word of a usage text. */
const masks =
  /\[(?:another )?credential\]|(?:^|[^\s[]|\b(?:bearer|basic|token) )\[(?:secret|token)\]|\[(?:secret|token)\](?=\S)/i;

/** The head of a section of a configuration, such as that of git: `[credential]` before `helper = store`. */
const sectionHead = /^[ \t]*\[[\w .-]+\][ \t]*\n(?=\s*(?:[#;].*\n\s*)*[\w.-]+[ \t]*=)/gm;

/** Why a file is not the content itself, and the offset of the sign of that. */
export function fileStandIn(text: string): (Mistake & { offset: number }) | undefined {
  for (const { form, message, advice } of forms) {
    const found = form.exec(text);
    if (found) return { message, advice, offset: found.index };
  }
  return undefined;
}

/** Why a value is not the content itself: applying it would replace the content by it. */
export function standInFor(text: string): Mistake | undefined {
  const found = [...forms, ciphertext].find(({ form }) => form.test(text));
  if (found) return { message: found.message, advice: found.advice };
  return text.includes("]") && masks.test(text.replaceAll(sectionHead, "")) ? masked : undefined;
}

const masked: Mistake = {
  message: "contains the mark of a value that an output has hidden",
  advice: "write the value itself, or state it under secrets with a source, as a dump does",
};

/** The texts of a value, and the keys, that stand for other content. */
export function standInsIn(value: Json, path: Path = []): DocumentMistake[] {
  if (typeof value === "string") return mistakeAt(value, path, "value");
  if (Array.isArray(value))
    return value.flatMap((inner, index) => (isSimple(inner) ? [] : standInsIn(inner, [...path, index])));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([member, inner]) =>
    isSimple(inner) && isSimple(member)
      ? []
      : [...mistakeAt(member, [...path, member], "key"), ...standInsIn(inner, [...path, member])],
  );
}

/** Most values are numbers and short texts, and need no path. */
function isSimple(value: Json): boolean {
  return typeof value === "string" ? !/[[\n$]|^version |annex/.test(value) : typeof value !== "object";
}

function mistakeAt(text: string, path: Path, at: "key" | "value"): DocumentMistake[] {
  const found = standInFor(text);
  return found ? [{ path, at, message: `${showPath(path)} ${found.message}`, advice: found.advice }] : [];
}

/** Texts that are valid and that a program has hardly filled in, with the end of a sentence about them. */
const unfilled: readonly (readonly [form: RegExp, what: string])[] = [
  [
    /^(?:undefined|\[object Object\]|NaN|<nil>|<no value>)$/,
    "is what a program writes in the place of a value that it lacks",
  ],
  [
    /^(?:\*{3,}|•{3,}|x{6,}|<redacted>|\[redacted\]|\(sensitive(?: value)?\)|<sensitive>)$/i,
    "is a mask, and no value",
  ],
  [/\bENC\[[A-Za-z0-9_-]+,/, "is ciphertext, which nothing decrypts here"],
  [
    /^(?:op|vault|awssm|gcpsm|azkv|ref\+\w+):\/\//i,
    "names a place in a store of secrets, which nothing reads here: use from_command under secrets",
  ],
  [
    /\{\{-?\s*(?:[.$]|include\b|template\b)|\{%/,
    "is an expression of a template, which nothing fills in here: write ${NAME}",
  ],
  [/<%=?.*%>/, "is an expression of a template, which nothing fills in here: write ${NAME}"],
  [/^\$(?:[A-Za-z_]\w*|\([^)]*\))$/, "is sent as it is: for a variable of infrasync, write ${NAME}"],
  [/^%[A-Za-z_]\w*%$/, "is sent as it is: for a variable of infrasync, write ${NAME}"],
];

/** Why a text on one line is hardly meant as it is; undefined if it may be. */
export function unfilledText(text: string): string | undefined {
  if (text.includes("\n")) return undefined;
  return unfilled.find(([form]) => form.test(text.trim()))?.[1];
}

/** What is odd about the value of a secret, without the value; undefined: nothing. */
export function oddityOf(value: string, hasMark = false): string | undefined {
  const odd = [
    ...(hasMark ? ["has a byte order mark before it, which is left out"] : []),
    ...(/^[^\S\r\n]|[^\S\r\n]$/.test(value) ? ["begins or ends with a blank"] : []),
    ...(/^[\r\n]|[\r\n]$/.test(value) ? ["begins or ends with a line break"] : []),
    ...(/\r\n/.test(value.replace(/[\r\n]+$/, "")) ? ["has line breaks of Windows (CRLF)"] : []),
    ...(/^(["'`]).*\1$/s.test(value) && value.length > 1 ? ["is in quotes, which become part of it"] : []),
    ...(/[\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u2064\uFEFF]/u.test(value)
      ? ["has characters without a width"]
      : []),
  ];
  const unfilledAs = unfilledText(value);
  const all = unfilledAs === undefined ? odd : [...odd, unfilledAs];
  return all.length === 0 ? undefined : all.join(", ");
}
