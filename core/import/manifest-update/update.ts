import { dirname, join } from "node:path";
import { readFileSync, realpathSync } from "node:fs";
import { type Address } from "../../model/addresses/address.ts";
import { withoutCredentials } from "../../redaction/credential-forms.ts";
import { commentsIn, type DocumentEdit, editText, SharedValueError } from "./edit/index.ts";
import type { FieldChange } from "../../model/fields/compare.ts";
import type { DumpedDocument } from "../live/index.ts";
import { type Fields, isFields, sameJson } from "../../values/json.ts";
import { type LoadedFiles, type ManifestDocument, validateManifest } from "../../manifests/manifest/index.ts";
import { credentialLines } from "../../rules/credentials.ts";
import { kinds } from "../../model/kinds/index.ts";
import type { Difference } from "../../planning/plan/index.ts";
import type { Position } from "../../problems/problem.ts";
import { Lines } from "../../source/lines.ts";
import { readDocuments } from "../../source/document.ts";
import { type Variables } from "../../source/variables.ts";
import { type DocumentDraft, takeOver, valueOfDraft } from "./draft.ts";
import { LastSource } from "./last-source.ts";
import { type Layers, layersBy } from "./layers.ts";
import { locate } from "./locate.ts";
import { isMissingSecret, withSecretSources } from "./secret-changes.ts";
import {
  documentIn,
  readTextFile,
  type TextDocument,
  type TextFile,
  variablesInAddress,
} from "./text-file.ts";
import { whyUnchanged, type UnacceptedReason } from "./reasons.ts";

export interface UpdatedFile {
  name: string;
  before: string;
  after: string;
}

/** Values for the fields of a resource: its documents will declare `before`. */
export type AcceptedDifference = Omit<Difference, "desired"> & {
  desired: Pick<Difference["desired"], "address">;
};

/** Manifests with live values. Nothing is written. */
export interface Update {
  files: UpdatedFile[];
  /** The fields that take their live values. */
  accepted: { address: Address; path: readonly string[] }[];
  /** A difference that stays, and why. */
  kept: {
    address: Address;
    /** Absent: the whole resource. */
    path?: readonly string[];
    message: string;
    advice?: string;
    position?: Position;
  }[];
  /** Lines of manifests and live values that look like credentials, which output hides. */
  credentials: string[];
  /** Documents for the last source, of resources that only earlier ones declare. */
  added: DumpedDocument[];
}

/** Changes manifest files to declare live values. A shared value stays, and the last of several sources declares the field. */
export function updateManifests(
  loaded: LoadedFiles,
  differences: readonly AcceptedDifference[],
  variables: Variables,
): Update {
  const updating = new ManifestUpdate(loaded, variables);
  for (const difference of differences) updating.take(difference);
  return updating.finished();
}

/** A document in a file, and its new value. */
interface Target {
  file: TextFile;
  document: TextDocument;
  draft: DocumentDraft;
  accepted: AcceptedField[];
}

/** A field that a document takes over. */
interface AcceptedField {
  address: Address;
  change: FieldChange;
  /** Whether an earlier layer declares it too. */
  isDeclaredBelow: boolean;
}

class ManifestUpdate {
  readonly #variables: Variables;
  readonly #loaded: LoadedFiles;
  readonly #layersOf: (address: Address) => Layers;
  readonly #files = new Map<string, TextFile | undefined>();
  readonly #targets = new Map<TextDocument, Target>();
  readonly #texts = new Map<string, UpdatedFile>();
  readonly #accepted: Update["accepted"] = [];
  readonly #unchanged: Update["kept"][number][] = [];
  readonly #credentials: string[];
  readonly #last: LastSource;

  constructor(loaded: LoadedFiles, variables: Variables) {
    this.#loaded = loaded;
    this.#variables = variables;
    this.#layersOf = layersBy(loaded.sources);
    this.#last = new LastSource(loaded.sources);
    this.#credentials = loaded.sources.flatMap(({ documents }) =>
      documents.flatMap(({ kind, fields }) => credentialLines(kind, [], fields)),
    );
  }

  /** Takes over one difference, field by field. */
  take({ desired: { address }, name, changes, undeclared, credentials }: AcceptedDifference): void {
    const layers = this.#layersOf(address);
    const all = [...changes, ...undeclared];
    for (const change of all) {
      const isName = change.path.length === 1 && change.path[0] === "name";
      const sourced = withSecretSources(address, change);
      const open = credentialLines(address.kind, change.path, change.before, credentials);
      const isReported = open.length > credentialLines(address.kind, change.path, change.before).length;
      this.#credentials.push(...open);
      const reason = isName
        ? ({ why: "name", name } as const)
        : isReported || (open.length > 0 && undeclared.includes(change))
          ? ({ why: "credential" } as const)
          : isMissingSecret(address, change, all)
            ? ({ why: "secret" } as const)
            : this.#takeField(address, layers, sourced, undeclared.includes(change));
      if (reason && !this.#takeInLastSource(address, sourced, reason))
        this.#unchanged.push({ address, path: change.path, ...whyUnchanged(change.path, reason) });
    }
  }

  finished(): Update {
    const files = [...this.#files.values()].flatMap((file) => (file ? this.#finish(file) : []));
    const { documents, accepted } = this.#last.added();
    return {
      files: [...files, ...this.#texts.values()],
      accepted: [...this.#accepted, ...accepted],
      kept: this.#unchanged,
      credentials: this.#credentials,
      added: documents,
    };
  }

  /** Declares a field in the last source, in place of one for several resources. Returns whether it does. */
  #takeInLastSource(address: Address, change: FieldChange, reason: UnacceptedReason): boolean {
    if (!this.#last.settles(reason, change)) return false;
    const own = this.#last.documentOf(address);
    if (!own) return this.#last.add(address, change);
    const target = this.#targetOf(own);
    if ("why" in target) return false;
    const next = takeOver(address.kind, target.draft, change, true);
    if ("obstacle" in next || this.#refusalOf(target, next)) return false;
    target.draft = next;
    target.accepted.push({ address, change, isDeclaredBelow: true });
    return true;
  }

  /** Takes over a field, or returns why not; `isNew`: a document may declare it without a declared parent. */
  #takeField(
    address: Address,
    { documents, defaults }: Layers,
    change: FieldChange,
    isNew: boolean,
  ): UnacceptedReason | undefined {
    const { kind } = address;
    const isDeclaredBy = ({ fields }: { fields: Fields }) =>
      locate(kind.fields, fields, change.path).rest.length === 0;
    const top = documents.findLastIndex((document) => isDeclaredBy(document));
    const below = defaults.findLast((layer) => isDeclaredBy(layer));
    if (top < 0 && below) return { why: "defaults", position: below.position(change.path) };
    const index = top < 0 ? this.#placeFor(address, documents, change, isNew) : top;
    const owner = documents[index];
    if (!owner) return { why: "not_declared" };
    const isDeclaredBelow = below !== undefined || documents.slice(0, index).some(isDeclaredBy);
    const target = this.#targetOf(owner);
    if ("why" in target) return target;
    const next = takeOver(kind, target.draft, change, isDeclaredBelow);
    if ("obstacle" in next)
      return next.obstacle === "declared_below"
        ? { why: "declared_below", position: owner.position([]) }
        : this.#takeText(target, { address, path: change.path }, next.obstacle);
    const refusal = this.#refusalOf(target, next);
    if (refusal) return refusal;
    target.draft = next;
    target.accepted.push({ address, change, isDeclaredBelow });
    return undefined;
  }

  /** The last document that declares a parent of a field, or can declare the field itself. */
  #placeFor(
    address: Address,
    documents: readonly ManifestDocument[],
    { path }: FieldChange,
    isNew: boolean,
  ): number {
    const { fields } = address.kind;
    const depths = documents.map(
      (document) => path.length - locate(fields, document.fields, path).rest.length,
    );
    const isAlternative = fields.alternatives?.some((group) => group.includes(path[0] ?? ""));
    const deepest = Math.max(isAlternative || isNew ? 0 : 1, ...depths);
    return depths.lastIndexOf(deepest);
  }

  #targetOf(owner: ManifestDocument): Target | UnacceptedReason {
    const position = owner.position([]);
    if (owner.template !== undefined) return { why: "template", name: owner.template, position };
    const { file: name } = position;
    if (!this.#files.has(name)) this.#files.set(name, readTextFile(name, this.#variables));
    const file = this.#files.get(name);
    const document = file && documentIn(file, owner);
    if (!file || !document) return { why: "no_file", position };
    const names = this.#last.overlays(owner) ? [] : variablesInAddress(document, owner);
    if (names.length > 0) return { why: "several_resources", names, position };
    const target = this.#targets.get(document) ?? {
      file,
      document,
      draft: { value: document.value, lists: [] },
      accepted: [],
    };
    this.#targets.set(document, target);
    return target;
  }

  /** Why the text of a document cannot be changed so. */
  #refusalOf(target: Target, draft: DocumentDraft): UnacceptedReason | undefined {
    try {
      editText(target.file.text, [editOf(target, draft)], this.#variables);
      return undefined;
    } catch (error) {
      if (!(error instanceof SharedValueError)) throw error;
      const { text, name } = target.file;
      return { why: "shared", by: error.reason, position: new Lines(text, name).position(error.offset) };
    }
  }

  #takeText(
    { file: manifest }: Target,
    field: Update["accepted"][number],
    { file, text }: { file: string; text: string },
  ): UnacceptedReason | undefined {
    const path = realpathSync(join(dirname(realpathSync(manifest.name)), file));
    const uses = this.#loaded.filesBeside.get(path) ?? 0;
    const name = join(dirname(manifest.name), file);
    if (uses > 1) return { why: "file_for_several", file: name, uses };
    this.#texts.set(path, { name, before: readFileSync(path, "utf8"), after: text });
    this.#accepted.push(field);
    return undefined;
  }

  /** The file with its changes, as far as it reads as intended afterwards. */
  #finish(file: TextFile): UpdatedFile[] {
    const edits: DocumentEdit[] = [];
    const accepted: Update["accepted"] = [];
    for (const document of file.documents) {
      const target = this.#targets.get(document);
      if (!target || target.accepted.length === 0) continue;
      this.#leaveRefused(target);
      if (target.accepted.length === 0) continue;
      const edit = editOf(target, target.draft);
      if (!this.#reads(file, edit)) {
        this.#keep(target, target.accepted, { why: "form" });
        continue;
      }
      edits.push(edit);
      accepted.push(...target.accepted.map(({ address, change: { path } }) => ({ address, path })));
    }
    if (edits.length === 0) return [];
    this.#accepted.push(...accepted);
    const { name, mark, text } = file;
    return [{ name, before: mark + text, after: mark + editText(text, edits, this.#variables) }];
  }

  /** Removes the fields from a draft that would make the document invalid. */
  #leaveRefused(target: Target): void {
    for (;;) {
      const [mistake] = validateManifest(valueOfDraft(target.draft)).mistakes;
      if (!mistake || target.accepted.length === 0) return;
      const isIn = ({ change }: AcceptedField) => change.path[0] === mistake.path[0];
      const refused = target.accepted.some(isIn) ? target.accepted.filter(isIn) : target.accepted;
      this.#keep(target, refused, { why: "refused", mistake: withoutCredentials(mistake.message) });
      target.accepted = target.accepted.filter((field) => !refused.includes(field));
      target.draft = { value: target.document.value, lists: [] };
      for (const { address, change, isDeclaredBelow } of target.accepted) {
        const next = takeOver(address.kind, target.draft, change, isDeclaredBelow);
        if (!("obstacle" in next)) target.draft = next;
      }
    }
  }

  #keep(
    { file, document }: Target,
    fields: readonly AcceptedField[],
    reason: { why: "form" } | { why: "refused"; mistake: string },
  ): void {
    const position = new Lines(file.text, file.name).position(document.root.range[0]);
    for (const { address, change } of fields)
      this.#unchanged.push({
        address,
        path: change.path,
        ...whyUnchanged(change.path, { ...reason, position }),
      });
  }

  /** Whether a changed text has the intended value, unchanged other documents, and every comment. */
  #reads(file: TextFile, edit: DocumentEdit): boolean {
    const text = editText(file.text, [edit], this.#variables);
    const read = [...readDocuments(new Lines(text, file.name), this.#variables)];
    const values = read.flatMap(({ value }) => (isFields(value) ? [value] : []));
    const isAsExpected = file.documents.every(({ index, value }, at) =>
      sameJson(values[at], index === edit.index ? edit.after : value),
    );
    const comments = new Set(commentsIn(text));
    return (
      isAsExpected &&
      values.length === file.documents.length &&
      read.every(({ mistakes }) => mistakes.length === 0) &&
      commentsIn(file.text).every((comment) => comments.has(comment))
    );
  }
}

function editOf({ document: { index, value } }: Target, draft: DocumentDraft): DocumentEdit {
  const schema = kinds.find(({ name }) => name === value["kind"])?.fields ?? {};
  return { index, schema, before: value, after: valueOfDraft(draft) };
}
