import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, writeWhole } from "../../core/files.ts";
import { makerOf } from "../../core/events/index.ts";
import { type Fields, isFields, textIn } from "../../core/json.ts";
import { nameKey } from "../../core/names.ts";
import type { DeletionContext } from "./operations.ts";
import type { Existing } from "./existing.ts";

/** A preview that was asked for, from before its clone until it is gone. */
export interface RecordedPreview {
  project: string;
  number: number;
  /** When its clone was asked for, in milliseconds since 1970 by the server; absent: it is made, and marked as a preview. */
  asked?: number;
  /** The signature of the run that asks for it, by which the events of the server know what it has made. */
  run?: string;
}

/**
 * The previews that a service has asked for, in memory and in a file. It says where to look, and never whose an environment
 * is: that its mark says. A clone gets its mark after it was made; of a service that was killed in between, the events of the
 * server say which run has made it.
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
    if (known && known.asked === preview.asked && known.run === preview.run) return;
    await this.#write([...this.#without(preview), preview]);
  }

  async forget(preview: Pick<RecordedPreview, "project" | "number">): Promise<void> {
    if (this.find(preview)) await this.#write(this.#without(preview));
  }

  /**
   * Whether an environment is a clone that was asked for and was not made to its end: it has no mark, and the events of the
   * server say that it is of the run that has asked.
   */
  async isBegun(
    { number, address, live, mark }: Existing,
    { run, organization }: Pick<DeletionContext, "run" | "organization">,
  ): Promise<boolean> {
    const asked = this.find({ project: address.names[0] ?? "", number })?.run;
    if (live.fields["mode"] !== "PREVIEW" || mark !== undefined || asked === undefined) return false;
    return (await makerOf(run.client, organization.id, live.id)) === asked;
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
  const run = textIn(fields, "run");
  if (project === undefined || typeof number !== "number") return [];
  return [
    { project, number, ...(typeof asked === "number" && { asked }), ...(run !== undefined && { run }) },
  ];
}
