import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, writeWhole } from "../../core/files.ts";
import { type Fields, isFields, textIn } from "../../core/json.ts";
import { nameKey } from "../../core/names.ts";
import type { Existing } from "./existing.ts";

/** A preview that was asked for, from before its clone until it is gone. */
export interface RecordedPreview {
  project: string;
  number: number;
  /** When its clone was asked for, in milliseconds since 1970 by the server; absent: it is made, and marked as a preview. */
  asked?: number;
}

/** By how much the times of a server may disagree, in milliseconds: some of them have no fractions of a second. */
const grace = 2000;

/**
 * The previews that a service has asked for, in memory and in a file. A clone gets its mark after it was made: a preview
 * whose service was killed in between is known by this record alone, and so are the previews of a policy that is no more.
 */
export class PreviewRecord {
  readonly #file: string;
  /** Undefined means not read yet. */
  #previews: readonly RecordedPreview[] | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Reads the file, once. One that is missing or damaged has none. */
  async open(): Promise<void> {
    this.#previews ??= await read(this.#file);
  }

  get previews(): readonly RecordedPreview[] {
    return this.#previews ?? [];
  }

  find({ project, number }: Pick<RecordedPreview, "project" | "number">): RecordedPreview | undefined {
    return this.previews.find((each) => each.number === number && nameKey(each.project) === nameKey(project));
  }

  async keep(preview: RecordedPreview): Promise<void> {
    const known = this.find(preview);
    if (known && known.asked === preview.asked) return;
    await this.#write([...this.#without(preview), preview]);
  }

  async forget(preview: Pick<RecordedPreview, "project" | "number">): Promise<void> {
    if (this.find(preview)) await this.#write(this.#without(preview));
  }

  /** Whether an environment is a clone that was asked for and was not made to its end. */
  isBegun({ number, address, live }: Existing): boolean {
    const asked = this.find({ project: address.names[0] ?? "", number })?.asked;
    const created = Date.parse(textIn(live.response, "created_at") ?? "");
    return live.fields["mode"] === "PREVIEW" && asked !== undefined && created >= asked - grace;
  }

  #without(preview: Pick<RecordedPreview, "project" | "number">): RecordedPreview[] {
    const known = this.find(preview);
    return this.previews.filter((each) => each !== known);
  }

  async #write(previews: readonly RecordedPreview[]): Promise<void> {
    await makeFolder(dirname(this.#file));
    await writeWhole(this.#file, `${JSON.stringify({ version: 1, previews })}\n`);
    this.#previews = previews;
  }
}

async function read(file: string): Promise<RecordedPreview[]> {
  try {
    const content: unknown = JSON.parse(await readFile(file, "utf8"));
    const previews = isFields(content) ? content["previews"] : undefined;
    return Array.isArray(previews) ? previews.filter(isFields).flatMap(previewIn) : [];
  } catch {
    return [];
  }
}

function previewIn(fields: Fields): RecordedPreview[] {
  const project = textIn(fields, "project");
  const { number, asked } = fields;
  if (project === undefined || typeof number !== "number") return [];
  return [{ project, number, ...(typeof asked === "number" && { asked }) }];
}
