import { adviceOf } from "../../../../cli/render/remedies.ts";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { formatManifest, loadManifests } from "../../../../core/manifests/manifest/index.ts";
import { Variables } from "../../../../core/source/variables.ts";
import type { ManifestDocument } from "../../../../core/manifests/manifest/index.ts";
import { removeFolder } from "../../../fixtures/remove-folder.ts";

/** The documents of all sources together, and their problems as lines with the file of each. */
export interface Said {
  documents: ManifestDocument[];
  /** The documents as one text. */
  text: string;
  problems: string;
}

/** Reads texts as the files `1/x.yaml`, `2/x.yaml` …, one for each source. */
export async function readLayers(
  layers: readonly string[],
  variables: Record<string, string> = {},
): Promise<Said> {
  const folder = mkdtempSync(path.join(tmpdir(), "layers-"));
  try {
    const sources = layers.map((text, index) => {
      const source = path.join(folder, String(index + 1));
      mkdirSync(source);
      writeFileSync(path.join(source, "x.yaml"), text);
      return source;
    });
    const { documents, problems } = await loadManifests(sources, {
      variables: new Variables(new Map(Object.entries(variables))),
    });
    // Reads positions only on request, while the files still exist.
    const lines = problems.map(({ message, position, ...help }) => {
      const place = position ? `${position.file}:${position.line}:${position.column} ` : "";
      return `${place}${message}; ${adviceOf(help)}`.replaceAll(`${folder}${path.sep}`, "");
    });
    return {
      documents: documents.map((document) => ({
        ...document,
        position: (at) => {
          const position = document.position(at);
          return { ...position, file: path.relative(folder, position.file) };
        },
      })),
      text: documents.map((document) => formatManifest(document)).join("---\n"),
      problems: lines.join("\n"),
    };
  } finally {
    await removeFolder(folder);
  }
}
