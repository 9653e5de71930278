import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import { openStored, type StoredForm, store } from "../../core/files/stored-form.ts";
import { nameKey } from "../../core/model/addresses/names.ts";

const previewForm = form({
  project: Type.String(),
  number: Type.Number(),
  /** When its clone was requested, in milliseconds since 1970 by the server; absent: it is made, and marked as a preview. */
  requested: optional(Type.Number()),
});

/** A preview that was requested, from before its clone until it is gone. */
export type RecordedPreview = StoredForm<typeof previewForm>;

const recordForm = form({ previews: Type.Array(previewForm) });

/** The previews that a service has requested: where to look. Whose one is, its label says, or, before it has one, the events of the server. */
export class PreviewRecord {
  readonly #file: string;
  /** Undefined means not read yet. */
  #previews: readonly RecordedPreview[] | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads the file, once. One that is missing or damaged has none: then no environment without a label is one of its own. Returns the report of a damage. */
  async open(): Promise<string | undefined> {
    if (this.#previews) return undefined;
    const read = await openStored(recordForm, this.#file, "previews of another project stay there");
    this.#previews = read?.content?.previews ?? [];
    return read?.damage;
  }

  get previews(): readonly RecordedPreview[] {
    return this.#previews ?? [];
  }

  find({ project, number }: Pick<RecordedPreview, "project" | "number">): RecordedPreview | undefined {
    return this.previews.find((each) => each.number === number && nameKey(each.project) === nameKey(project));
  }

  async keep(preview: RecordedPreview): Promise<void> {
    const known = this.find(preview);
    if (known && known.requested === preview.requested) return;
    await this.#write([...this.#without(preview), preview]);
  }

  async forget(preview: Pick<RecordedPreview, "project" | "number">): Promise<void> {
    if (this.find(preview)) await this.#write(this.#without(preview));
  }

  #without(preview: Pick<RecordedPreview, "project" | "number">): RecordedPreview[] {
    const known = this.find(preview);
    return this.previews.filter((each) => each !== known);
  }

  async #write(previews: readonly RecordedPreview[]): Promise<void> {
    await store(this.#file, { previews });
    this.#previews = previews;
  }
}
