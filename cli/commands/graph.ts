import { Option } from "commander";
import { InvalidInputError } from "../../core/problem.ts";
import { exitCodes } from "../exit-codes.ts";
import type { SourceFlags } from "../flags.ts";
import { type GraphFormat, graphJson, renderGraph } from "../render/graph.ts";
import type { Command } from "./command.ts";
import { addConfig, addOutput, addSources } from "./options.ts";
import { chooseSources } from "../support/chosen.ts";
import { readChosen } from "../support/manifests.ts";
import { graphOf } from "../../core/manifest/index.ts";
import { outputOf } from "../../core/forms/index.ts";

/** `infrasync graph`: shows how the resources of manifests depend on each other. */
export const graph: Command<[sources: string[]], SourceFlags & { format?: GraphFormat }> = {
  examples: [
    "graph manifests",
    "graph manifests --format mermaid",
    "graph manifests --format dot | dot -Tsvg",
  ],

  declare(line) {
    addSources(line);
    line
      .optionsGroup("Graph:")
      .addOption(
        new Option(
          "--format <format>",
          "a tree as text, or the language of Mermaid or Graphviz (default: text)",
        ).choices(["text", "mermaid", "dot"]),
      );
    addConfig(line);
    addOutput(line);
  },

  async run({ args: [sources], flags, console }) {
    const { resources, problems } = await readChosen(
      await chooseSources(sources, flags, console.io),
      flags,
      console.io,
    );
    if (problems.length > 0) throw new InvalidInputError(problems);
    const found = graphOf(resources);
    if (console.json) {
      console.document(outputOf("graph", graphJson(found)));
    } else console.data(renderGraph(found, flags.format ?? "text"));
    return exitCodes.done;
  },
};
