import { isNamedCredential, mayBeNamedCredential } from "./credential-names.ts";

export const placeholder = "[credential]";

interface Form {
  what: string;
  /** The credential is the whole, or what follows the first group. */
  form: RegExp;
  /** It needs words around it that a sentence has too: only values are asked. */
  inValues?: true;
}

/** What stands in the place of a credential in a URL and is none: a variable of a shell or of the platform, or a placeholder. */
const isVariable = String.raw`\$\w+@|\$?\{|\$\(|[<[]`;

/** The rest of a command up to its end. */
const command = String.raw`[^\n;|&]{0,300}?`;

const forms: readonly Form[] = [
  {
    what: "a private key",
    form: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[^]*?-----END [A-Z0-9 ]+-----|[^]*)/,
  },
  { what: "a private key", form: /\bAGE-SECRET-KEY-1[A-Z0-9]{20,}/ },
  { what: "an AWS access key", form: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/ },
  { what: "a GitHub token", form: /\b(?:gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,})/ },
  { what: "a GitLab token", form: /\bgl(?:pat|ptt|dt|rt|cbt|soat|agent|ft|imt)-[\w.-]{12,}/ },
  { what: "a Slack token", form: /\bx(?:ox[a-z]|app)-[A-Za-z0-9-]{10,}/ },
  { what: "a Stripe key", form: /\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{16,}/ },
  { what: "a key of an AI service", form: /\bsk-(?:[a-z]{2,8}\d{0,2}-)?[\w-]{20,}/ },
  { what: "a Google API key", form: /\b(?:AIza[\w-]{35}\b|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/ },
  { what: "an npm token", form: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { what: "a PyPI token", form: /\bpypi-AgE[\w-]{20,}/ },
  { what: "a SendGrid key", form: /\bSG\.[\w-]{16,}\.[\w-]{16,}/ },
  {
    what: "a token of a platform",
    form: /\b(?:dop_v1_[a-f0-9]{32,}|hf_[A-Za-z0-9]{24,}|shp(?:at|ca|pa|ss)_[a-f0-9]{24,}|hv[sb]\.[\w-]{20,}|sq0(?:atp|csp)-[\w-]{20,}|dckr_[a-z]{3}_[\w-]{20,}|glsa_\w{24,}|lin_api_\w{20,}|NRAK-[A-Z0-9]{20,}|rubygems_[a-f0-9]{24,})/,
  },
  { what: "a JSON Web Token", form: /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/ },
  {
    what: "a URL of a webhook",
    form: /(\bhttps?:\/\/(?:hooks\.slack(?:-gov)?\.com\/[a-z]+|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+|[\w-]+\.webhook\.office\.com\/\w+|api\.telegram\.org)\/)(?![<[{$])[^\s"'<>]{8,}/i,
  },
  {
    what: "a URL with a password",
    form: new RegExp(
      String.raw`(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s:/?#@]*:(?!${isVariable})[^\s/?#@]+(?=@)`,
      "i",
    ),
  },
  // A token may stand alone before the host of the web.
  {
    what: "a URL with a token",
    form: new RegExp(
      String.raw`(\bhttps?:\/\/)(?!${isVariable}|[^\s/?#@:]*:(?:${isVariable}))[^\s/?#@]+(?=@)`,
      "i",
    ),
  },
  {
    what: "a user and a password",
    form: /((?:^|[\s"'=,])[\w.-]{1,60}:)(?![$%<[{])[^\s:@/"']{1,200}(?=@(?:tcp|unix)\()/i,
    inValues: true,
  },
  {
    what: "a token of a header",
    form: new RegExp(
      String.raw`((?:\b(?:[Aa]uthorization|AUTHORIZATION|[xX]-[\w-]{0,40}(?:[Tt]oken|[Kk]ey))\\*["']?\s*[:=]\s*\\*["']?(?:\w+\s+)?|\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC)\s+))(?![$%<[{]|[A-Za-z]?[a-z-]+(?:[\s.,;:"')]|$))[\w.~+/=-]{6,}`,
    ),
    inValues: true,
  },
  {
    what: "a user and a password",
    form: /((?:^|[\s"',[])(?:-u|-U|--user|--proxy-user)(?:["']?,\s*|\s+|=)["']?[^\s:"'/]{1,100}:)(?![$%<[{]|\/\/|\d+(?![^\s"',]))[^\s"',]+/i,
    inValues: true,
  },
  {
    what: "the password of a command",
    form: new RegExp(
      String.raw`((?:\b(?:mysql|mariadb|sshpass|7z)\w{0,12}\b|(?:^|\s)-u\s?[A-Za-z][\w.-]{0,60}(?=\s))${command}\s-p)(?![$%<[{\s]|\d{2,5}(?::|\s|$))[^\s"']+`,
    ),
    inValues: true,
  },
  {
    what: "the password of a command",
    form: new RegExp(
      String.raw`(\b(?:sshpass${command}\s-p|(?:docker|podman|helm registry|oras|skopeo|buildah)\s+login\b${command}\s-p|az login\b${command}\s-p|mongo\w{0,8}\b${command}\s-p|redis-cli\b${command}\s-a)\s+["']?)(?![$%<[{-])[^\s"']+`,
    ),
    inValues: true,
  },
  {
    what: "a login",
    form: /(\blogin\s+\S{1,100}\s+password\s+|^[\t ]*(?:requirepass|masterauth)\s+)(?![$%<[{])\S+/im,
    inValues: true,
  },
  {
    what: "a line of a password file",
    form: /(^[^\s:]{1,100}:(?:\d{2,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:)(?![$%<[{])\S+$/m,
    inValues: true,
  },
];

interface Piece {
  start: number;
  end: number;
}

const nameBeforeValue =
  /(?<![\w$])(?<flag>-{0,2})(?<name>[A-Za-z_][\w.-]{0,80}?)(?<quote>\\*["']?)(?=[\s=:,>])/g;

/** What stands between a name and its value: in a sentence, and in the text of a configuration or a command. */
const between = {
  sentence: /=/y,
  member: /\s{0,20}:?=>?[\t ]{0,20}|:[\t ]{1,20}|:(?=\n)/y,
  quoted: /\s{0,20}(?::?=>?|:)\s{0,20}/y,
  flag: /=|[\t ]{1,20}(?!-)|,\s{0,20}(?=\\*["'])|,[\t ]{1,20}(?!-)/y,
  element: />(?=[^\s<])/y,
};

/** The forms of a value: in quotes, in quotes that do not end, a block, the rest of its line, one word. */
const inQuotes = /\\*(["'])(?<value>(?:(?!\\*\1)[^\n]){0,2000})(?:\\*\1|$)/my;
const block = /[|>][+-]?[\t ]*\n(?<value>(?:[\t ]+\S[^\n]*\n?)+)/y;
const restOfLine = /(?<value>[^\n"',{}[\]&][^\n]*?)(?=[\t ]*(?:[\t ]#[^\n]*)?(?:\r?\n|$))/y;
const word = /(?<value>[^\s"',;&}\]\\<]+)/y;

/** Characters of blanks and the like before the name with which a line begins. */
const longestLead = 60;

function namedIn(text: string, isValue: boolean): Piece[] {
  const found: Piece[] = [];
  for (const { index, 0: whole, groups = {} } of text.matchAll(nameBeforeValue)) {
    const { flag = "", name = "", quote = "" } = groups;
    if (index < (found.at(-1)?.end ?? 0) || !mayBeNamedCredential(name)) continue;
    const at = index + whole.length;
    const before = text.slice(Math.max(0, index - longestLead), index);
    const sort = !isValue
      ? "sentence"
      : flag !== ""
        ? "flag"
        : quote !== ""
          ? "quoted"
          : /<\/?$/.test(before)
            ? "element"
            : "member";
    const separator = matchAt(between[sort], text, at) ?? matchAt(between.sentence, text, at);
    if (!separator) continue;
    const start = at + separator[0].length;
    if (/^(?:\$?\{|\$\()/.test(text.slice(start, start + 2))) continue;
    const isLine =
      sort === "member" &&
      /\n[\t ]*(?:- |export |set |ENV |#)?[\t ]*["']?$/.test(`\n${before}`) &&
      (/\s/.test(separator[0]) || text.includes("\n"));
    const value = [inQuotes, ...(sort === "member" ? [block] : []), ...(isLine ? [restOfLine] : []), word]
      .map((form) => matchAt(form, text, start))
      .find((match) => match !== undefined);
    const its = value?.groups?.["value"] ?? "";
    if (!value || !isNamedCredential(name, its)) continue;
    const from = start + value[0].indexOf(its) + its.search(/\S/);
    found.push({ start: from, end: from + its.trim().length });
  }
  return found;
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | undefined {
  form.lastIndex = at;
  return form.exec(text) ?? undefined;
}

function withoutNamed(text: string, isValue: boolean): string {
  return namedIn(text, isValue).reduceRight(
    (shown, { start, end }) => shown.slice(0, start) + placeholder + shown.slice(end),
    text,
  );
}

/** The sort of credential that a value has in it, by its form; undefined for none. */
export function credentialIn(text: string): string | undefined {
  const what = forms.find(({ form }) => form.test(text))?.what;
  return what ?? (namedIn(text, true).length > 0 ? "a credential, by the name before it" : undefined);
}

/** Whether a URL has a user's name, a password or a token before its host; the user of an SSH URL is none. */
export function hasUserInformation(url: string): boolean {
  return /\b(?:https?:\/\/|[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/?#@]*:)[^\s/?#@]+@/i.test(url);
}

const everywhere = forms.map(({ form, ...rest }) => ({ ...rest, form: new RegExp(form, `g${form.flags}`) }));

function withoutForms(text: string, isValue: boolean): string {
  return everywhere.reduce(
    (shown, { form, inValues }) =>
      inValues && !isValue
        ? shown
        : shown.replaceAll(
            form,
            (_whole, before: unknown) => (typeof before === "string" ? before : "") + placeholder,
          ),
    text,
  );
}

/** A sentence in which a placeholder stands in the place of each credential that has a known form. */
export function withoutCredentials(text: string): string {
  return withoutNamed(withoutForms(text, false), false);
}

/** A value in which a placeholder stands in the place of each credential that has a known form or stands behind its name. */
export function valueWithoutCredentials(text: string): string {
  return withoutNamed(withoutForms(text, true), true);
}

/** A key of YAML whose value is a list or a mapping on the same line, which is no source of a secret. */
const keyOfMore = /(?<![\w.-])["']?(?<name>[\w.-]{1,80})["']?:\s{1,20}(?=[[{])(?!\{\s*(?:from_\w+:|\}))/g;

/** A line of YAML that ends at the first name whose value is a credential, with a placeholder in the place of each other one. */
export function lineWithoutCredentials(line: string): string {
  const starts = [
    ...namedIn(line, true).map(({ start }) => start),
    ...[...line.matchAll(keyOfMore)].flatMap(({ index, 0: { length }, groups }) =>
      mayBeNamedCredential(groups?.["name"] ?? "") ? [index + length] : [],
    ),
  ].filter((start) => !/\bgit_token["']?:\s*["']?$/.test(line.slice(0, start)));
  return starts.length === 0
    ? withoutForms(line, true)
    : `${withoutForms(line.slice(0, Math.min(...starts)).replace(/["']$/, ""), true)}…`;
}

/** A sentence that quotes values in which a placeholder stands in the place of each credential. */
export function quotesWithoutCredentials(text: string): string {
  return withoutCredentials(text).replaceAll(
    /"[^\n]*"/g,
    (quoted) => `"${valueWithoutCredentials(quoted.slice(1, -1))}"`,
  );
}
