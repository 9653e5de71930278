import type { MarkdownOptions } from "vitepress";

type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];

/** The class of what the copy button of VitePress leaves out. */
const notCopied = "vp-copy-ignore";

/** In a block of commands and their output, the button copies the commands alone, without their prompts. */
export const consoleBlocks: Transformer = {
  name: "infrasync: console blocks",
  line(node, number) {
    if (this.options.lang !== "console") return;
    const [prompt] = /^[$>] /.exec(this.source.split("\n")[number - 1] ?? "") ?? [];
    if (prompt === undefined) return void this.addClassToHast(node, notCopied);
    const [first] = node.children;
    const [text] = first?.type === "element" ? first.children : [];
    if (text?.type !== "text") return;
    text.value = text.value.replace(prompt, "");
    node.children.unshift({
      type: "element",
      tagName: "span",
      properties: { class: notCopied },
      children: [{ type: "text", value: prompt }],
    });
  },
};
