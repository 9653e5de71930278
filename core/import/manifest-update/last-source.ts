import { type Address, addressKey, formatReference } from "../../model/addresses/address.ts";
import type { FieldChange } from "../../model/fields/compare.ts";
import type { DumpedDocument } from "../live/index.ts";
import {
  addressOf,
  type LoadedSource,
  type ManifestDocument,
  validateManifest,
} from "../../manifests/manifest/index.ts";
import { type DocumentDraft, takeOver, valueOfDraft } from "./draft.ts";
import type { UnacceptedReason } from "./reasons.ts";

/** Why a field cannot change in place, although a later source can declare it for one resource. */
const ofSeveral = new Set<UnacceptedReason["why"]>(["several_resources", "template", "defaults", "shared"]);

/** The last of several sources: it can declare a field for one resource that earlier ones declare for several. */
export class LastSource {
  readonly #documents = new Map<string, ManifestDocument>();
  /** The resources of the sources before. */
  readonly #below: ReadonlySet<string>;
  readonly #isOverlay: boolean;
  readonly #added = new Map<
    string,
    { address: Address; draft: DocumentDraft; paths: (readonly string[])[] }
  >();

  constructor(sources: readonly LoadedSource[]) {
    this.#isOverlay = sources.length > 1;
    this.#below = new Set(sources.slice(0, -1).flatMap(({ documents }) => documents.map(keyOf)));
    for (const document of sources.at(-1)?.documents ?? []) this.#documents.set(keyOf(document), document);
  }

  /** Whether a document overlays one of an earlier source, and so applies to one resource, with any address. */
  overlays(document: ManifestDocument): boolean {
    const key = keyOf(document);
    return this.#documents.get(key) === document && this.#below.has(key);
  }

  /** Whether this source can declare a field that was not taken over. An overlay replaces a list as a whole. */
  settles({ why }: UnacceptedReason, { path }: FieldChange): boolean {
    return this.#isOverlay && ofSeveral.has(why) && !path.some((part) => part.startsWith("["));
  }

  documentOf(address: Address): ManifestDocument | undefined {
    return this.#documents.get(addressKey(address));
  }

  /** Adds a field to the new document of a resource. Returns whether that document is valid with it. */
  add(address: Address, change: FieldChange): boolean {
    const { kind, names } = address;
    const key = addressKey(address);
    const known = this.#added.get(key) ?? {
      address,
      draft: {
        value: {
          kind: kind.name,
          ...(kind.parentMember !== undefined && {
            [kind.parentMember]: formatReference(names.slice(0, -1)),
          }),
          name: names.at(-1) ?? "",
        },
        lists: [],
      },
      paths: [],
    };
    const next = takeOver(kind, known.draft, change, true);
    if ("obstacle" in next || !validateManifest(valueOfDraft(next)).manifest) return false;
    this.#added.set(key, { address, draft: next, paths: [...known.paths, change.path] });
    return true;
  }

  /** The new documents, and their fields. */
  added(): { documents: DumpedDocument[]; accepted: { address: Address; path: readonly string[] }[] } {
    const all = [...this.#added.values()];
    return {
      documents: all.flatMap(({ draft }): DumpedDocument[] => {
        const { manifest } = validateManifest(valueOfDraft(draft));
        return manifest ? [manifest] : [];
      }),
      accepted: all.flatMap(({ address, paths }) => paths.map((path) => ({ address, path }))),
    };
  }
}

function keyOf(document: ManifestDocument): string {
  return addressKey(addressOf(document));
}
