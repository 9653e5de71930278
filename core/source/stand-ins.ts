import { isFields, type Json } from "../values/json.ts";
import { type DocumentMistake, type Mistake, type Path, showPath } from "./mistake.ts";

/** Content that replaces other content, by its beginning or form. The message ends a sentence. */
interface StandIn extends Mistake {
  form: RegExp;
  /** The advice for the source of a secret, if different. */
  secretAdvice?: string;
  /** It may be meant: a value gets a note. A file of manifests, settings or variables with nothing else is refused. */
  isReported?: true;
  /** In documents it may have a good reason; the source of a secret has none. */
  isOfSecrets?: true;
  /** A file may have it in a value, where it is reported. */
  isPart?: true;
}

const readBy = (program: string) => `use from_command with ${program}, or another source of a secret`;
const readSource = "check the program that wrote the text";
const reference = "for a variable of infrasync, write ${NAME}";
const answer = { message: "is the error of a server", advice: readSource, isReported: true } as const;
const page = { message: "is a page of HTML", advice: readSource, isReported: true } as const;

const conflict: StandIn = {
  form: /^(?:<{7}|>{7}|\|{7}) \S|^<{7}\r?$[^]*^={7}\r?$[^]*^>{7}\r?$/m,
  message: "has the marks of a merge conflict",
  advice: "resolve the conflict",
};

/** A line that only a merge conflict writes into a mapping of YAML. */
const conflictLine = /^(?:<{7}|>{7}|={7}|\|{7})(?: .*)?\r?$/m;

/** A file in the form that SOPS writes: YAML, JSON, or variables. */
const ofSops =
  /^sops:\s*\n(?:[ \t].*\n)*?[ \t]+(?:mac|version|lastmodified):|^\s*\{[^]*"sops"\s*:\s*\{[^]*"mac"|^sops_(?:mac|version)=/m;

/** All inputs are checked: files, documents, settings, variables, secrets, programs. */
const standIns: readonly StandIn[] = [
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
  { form: /^\0GITCRYPT\0/, message: "is encrypted by git-crypt", advice: "run git-crypt unlock before" },
  {
    form: /^\$ANSIBLE_VAULT;/,
    message: "is encrypted by Ansible Vault",
    advice: readBy("ansible-vault decrypt"),
  },
  {
    form: /^(?:age-encryption\.org\/v1\r?\n|-----BEGIN AGE ENCRYPTED FILE-----)/,
    message: "is encrypted by age",
    advice: readBy("age -d"),
  },
  { form: /^-----BEGIN PGP MESSAGE-----/, message: "is encrypted by PGP", advice: readBy("gpg --decrypt") },
  {
    form: /^(?:Salted__|U2FsdGVkX1[89+/])/,
    message: "is encrypted by OpenSSL",
    advice: readBy("openssl enc -d"),
  },
  {
    form: ofSops,
    message: "is encrypted by SOPS",
    advice: "decrypt it before, with sops decrypt",
    secretAdvice: "use from_sops: FILE#KEY, which decrypts a value of it",
  },
  {
    form: /\bENC\[AES256_GCM,data:/,
    message: "is ciphertext of SOPS",
    advice: "write the value itself",
    secretAdvice: "declare a secret with from_sops: FILE#KEY, which decrypts it",
    isPart: true,
  },
  {
    form: /^(?:\{[^]*)?["']?kind["']?:[ \t]*["']?SealedSecret\b/m,
    message: "is a sealed secret, which only the controller of a cluster decrypts",
    advice: "declare the secret with a source, such as from_env",
  },
  {
    form: /^(?:\{[^]*)?["']?kind["']?:[ \t]*["']?(?:Cluster)?ExternalSecret\b/m,
    message: "is an external secret, which only the operator of a cluster reads",
    advice: "declare the secret with a source, such as from_command",
  },
  conflict,
  { ...conflict, form: /^(?:<{7}|>{7}|={7}|\|{7})$/, isReported: true },
  {
    form: /^(?:undefined|null|None|nil|\[object \w+\]|NaN|<(?:nil|no value|unknown)>|%!\w\(.*\)|\(known after apply\)|Calling \[\w+\] on an \[Output<T>\].*)$/s,
    message: "is the text that a program writes for a missing value",
    advice: readSource,
    isReported: true,
  },
  {
    form: /^(?:\*{3,}|•{3,}|x{6,}|[<[]?(?:redacted|masked)[>\]]?|[<[](?:filtered|hidden)[>\]]|\(sensitive(?: value)?\)|<sensitive>)$/i,
    message: "is a mask, not a value",
    advice: "write the value itself",
    isReported: true,
  },
  {
    form: /^(?:change[-_ ]?(?:me|it)|replace[-_ ]?me|<your[-_ ][\w -]+>|@@\w+@@|#\{\w+\}#?|\(\([\w./-]+\)\)|__[A-Z\d_]+__)$/i,
    message: "is a placeholder",
    advice: "write the value itself",
    isReported: true,
  },
  {
    form: /^<(?:!doctype html|html)\b[^]*\b(?:sign|log)[ -]?(?:in|on)\b/i,
    ...page,
    message: "is the page of a sign-in",
  },
  { form: /^<(?:!doctype html|html)\b/i, ...page, isOfSecrets: true },
  {
    form: /^\{\s*"(?:message|errors?|msg|detail|status|code|statusCode)"\s*:[^]*(?:\b[45]\d\d\b|not.?found|unauthori[sz]ed|forbidden|denied|bad credentials|expired)/i,
    ...answer,
  },
  { form: /^<\?xml\b[^]*<Error>/, ...answer },
  {
    form: /^(?:[45]\d\d:? )?(?:(?:page )?not found|unauthorized|forbidden|access denied|bad credentials|bad gateway|service unavailable)$/i,
    ...answer,
  },
  {
    form: /\bENC\[[A-Za-z0-9_-]+,|^(?:\{cipher\}|ENC\(.+\)$)/,
    message: "is ciphertext",
    advice: "infrasync does not decrypt it",
    isReported: true,
    isPart: true,
  },
  {
    form: /^(?:(?:op|vault|awssm|gcpsm|azkv|doppler|sm|pass|bw|keepass|infisical|1password|ref\+\w+):\/\/|(?:>>)?vault:[^\s#]+#|arn:aws[\w-]*:(?:secretsmanager|ssm):|@Microsoft\.KeyVault\(|\{\{resolve:|projects\/[^/\s]+\/secrets\/)/i,
    message: "names a place in a store of secrets, which infrasync does not read",
    advice: "use from_command under secrets; if the program reads the store itself, keep the text",
    isReported: true,
  },
  {
    form: /^!(?:Ref|GetAtt|Sub|ImportValue|reference|vault|secret|env)\b/,
    message: "is a tag of another tool, which infrasync does not read",
    advice: reference,
    isReported: true,
  },
  {
    form: /\{\{-?\s*(?:[.$]|include\b|template\b|\w+(?:\s+["'.$]|\(|\.\w))|\{%|<%=?.*%>|\$\{\{.*\}\}/,
    message: "is an expression of a template, which infrasync does not replace",
    advice: "write ${NAME}",
    isReported: true,
    isPart: true,
  },
  {
    form: /^(?:\$(?:[A-Za-z_]\w*|\([^)]*\))|%[A-Za-z_]\w*%)$/,
    message: "is sent as it is",
    advice: reference,
    isReported: true,
  },
  {
    form: /^(?:\$\{[^}]*\}|\{\{(?!\w+\}\}).*\}\})$/,
    message: "is sent as it is",
    advice: "infrasync replaces nothing in the value of a secret",
    isReported: true,
    isOfSecrets: true,
    isPart: true,
  },
];

/** Whether a text is a file of SOPS without a kind: skipping an encrypted manifest would be to plan without it. */
export function isFileOfSecrets(text: string): boolean {
  return ofSops.test(text) && !/^"?kind"?\s*:|^\s*[{,]?\s*"kind"\s*:/m.test(text);
}

/** The place of a text: a document or a program, a saved plan, the source of a secret, or where no secret is allowed. */
export type TextPlace = "document" | "saved plan" | "secret" | "settings";

/** The placeholder of a hidden value in a saved plan, which has it as a value. */
export const savedPlaceholder = "(left out)";

/** The placeholders of hidden values in outputs; `[secret]` alone is also a word of a usage text. */
const masks =
  /^\((?:secret|left out)\)$|\[(?:another )?credential\]|(?:^|[^\s[]|\b(?:bearer|basic|token) )\[(?:secret|token)\]|\[(?:secret|token)\](?=\S)/i;

/** The head of a section of a configuration, such as that of Git: `[credential]` before `helper = store`. */
const sectionHead = /^[ \t]*\[[\w .-]+\][ \t]*\n(?=\s*(?:[#;].*\n\s*)*[\w.-]+[ \t]*=)/gm;

const masked: Mistake = {
  message: "contains the placeholder of a hidden value",
  advice: "write the value itself, or declare it under secrets with a source, as a dump does",
};

/** Why a file of manifests, settings or variables is not the content itself, and the offset of the sign. */
export function fileStandIn(text: string): (Mistake & { offset: number }) | undefined {
  const line = conflictLine.exec(text);
  const content = text.trim();
  const found = line ? conflict : standIns.find(({ form, isPart }) => !isPart && form.test(content));
  return found && { ...mistakeOf(found, "settings"), offset: line?.index ?? text.indexOf(content) };
}

/** Why a value is not the content itself: applying it would replace the content by it. */
export function standInFor(text: string, place: TextPlace = "document"): Mistake | undefined {
  const content = text.trim();
  const found = standIns.find(({ form, isReported }) => !isReported && form.test(content));
  if (found) return mistakeOf(found, place);
  if (place === "saved plan" && text === savedPlaceholder) return undefined;
  return /[\])]/.test(text) && masks.test(text.replaceAll(sectionHead, "")) ? masked : undefined;
}

function mistakeOf({ message, advice, secretAdvice }: StandIn, place: TextPlace): Mistake {
  return { message, advice: place === "settings" ? advice : (secretAdvice ?? advice) };
}

/** The texts and keys of a value that replace other content; settings have mistakes in place of notes. */
export function standInsIn(value: Json, place: TextPlace = "document", path: Path = []): DocumentMistake[] {
  if (typeof value === "string") return mistakeAt(value, place, path, "value");
  if (Array.isArray(value))
    return value.flatMap((inner, index) =>
      isSimple(inner, place) ? [] : standInsIn(inner, place, [...path, index]),
    );
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([member, inner]) =>
    isSimple(inner, place) && isSimple(member, place)
      ? []
      : [
          ...mistakeAt(member, place, [...path, member], "key"),
          ...standInsIn(inner, place, [...path, member]),
        ],
  );
}

/** Most values are numbers and words, and need no path. */
function isSimple(value: Json, place: TextPlace): boolean {
  return typeof value === "string"
    ? place !== "settings" && /^(?:[a-z\d-]*|[A-Z\d_]*)$/.test(value)
    : typeof value !== "object";
}

function mistakeAt(text: string, place: TextPlace, path: Path, at: "key" | "value"): DocumentMistake[] {
  const isReported = place === "settings" && !path.includes("variables") ? unfilledText(text) : undefined;
  const found =
    standInFor(text, place) ?? (isReported && { message: isReported, advice: "write the value itself" });
  return found ? [{ ...found, path, at, message: `${showPath(path)} ${found.message}` }] : [];
}

/** Why a text is hardly meant; undefined: it may be. Of several lines, only the whole counts. */
export function unfilledText(text: string, place: TextPlace = "document"): string | undefined {
  const content = text.trim();
  const isLong = content.includes("\n");
  const found = standIns.find(
    ({ form, isReported, isPart, isOfSecrets }) =>
      isReported && !(isLong && isPart) && (place === "secret" || !isOfSecrets) && form.test(content),
  );
  return found && `${found.message}: ${found.advice}`;
}

export function oddCharacters(text: string): string[] {
  return [
    ...(text.startsWith("\uFEFF") ? ["begins with a byte order mark"] : []),
    ...(/\r\n/.test(text.trimEnd()) ? ["has line breaks of Windows (CRLF)"] : []),
    ...(widthless.test(text.replace(/^\uFEFF/, "")) ? ["has characters without a width"] : []),
  ];
}

/** Invisible characters, without those that join the parts of an emoji. */
const widthless =
  /[\u00AD\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u2064\uFEFF]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D/u;

/** The oddity of a secret, without its value; undefined: none. */
export function oddityOf(value: string, hasMark = false): string | undefined {
  const odd = [
    ...(hasMark ? ["has a byte order mark before it, which is left out"] : []),
    ...(/^[^\S\r\n\uFEFF]|[^\S\r\n\uFEFF]$/.test(value) ? ["begins or ends with a blank"] : []),
    ...(/^[\r\n]|[\r\n]$/.test(value) ? ["begins or ends with a line break"] : []),
    ...oddCharacters(value),
    ...(/^(["'`]).*\1$/s.test(value) && value.length > 1 ? ["is in quotes, which become part of it"] : []),
  ];
  const unfilledAs = unfilledText(value, "secret");
  const all = unfilledAs === undefined ? odd : [...odd, unfilledAs];
  return all.length === 0 ? undefined : all.join(", ");
}
