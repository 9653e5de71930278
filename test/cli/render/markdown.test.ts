import fc from "fast-check";
import { marked } from "marked";
import { describe, expect, test } from "vitest";
import { detailsMarkdown } from "../../../core/report/markdown.ts";
import { code, codeBlock, plain, table } from "../../../core/report/markdown-text.ts";
import { escapeControl } from "../../../core/values/text.ts";
import { steady, useFixture } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

const markdownOf = async (...args: string[]) => {
  const { stdout } = await fixture.run(["plan", fixture.folder, "--output", "markdown", ...args]);
  return `\n${steady(stdout)}`;
};

test("a plan in Markdown has a table, foldable fields and the refusals", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.write(
    "shop.yaml",
    shop.replace("eu-west", "us-east") +
      cronJob("nightly-report", 'description: "for @acme | #1"\n') +
      cronJob("new"),
  );
  expect(await markdownOf()).toMatchInlineSnapshot(`
    "
    ### Plan: 1 to create, 2 to replace; 1 unchanged.

    > [!CAUTION]
    > - Environment \`shop/staging\` is deleted and created again
    > - Job \`shop/staging/nightly-report\` is deleted and created again

    |  | Resource |  |
    | --- | --- | --- |
    | \`±\` | Environment \`shop/staging\` | must be replaced: an environment cannot be moved to another cluster |
    | \`±\` | Job \`shop/staging/nightly-report\` | deleted and created again with Environment shop/staging |
    | \`+\` | Job \`shop/staging/new\` |  |

    <details>
    <summary>Field by field</summary>

    \`\`\`diff
    - ± Environment shop/staging
          cluster  eu-west -> us-east
    -     also deletes and creates again: 1 job (nightly-report)
    - ± Job shop/staging/nightly-report
          description  "" -> for @acme | #1
    + Job shop/staging/new
    +     source.image.image_name        acme/report
    +     source.image.tag               1.4.2
    +     source.image.registry          docker-hub
    +     schedule.cronjob.scheduled_at  0 3 * * *
    +     schedule.cronjob.timezone      Europe/Paris
    +     cpu                            500m
    +     memory                         512 MB
    \`\`\`

    </details>

    **infrasync will refuse to apply this plan:**

    - environment:shop/staging must be replaced: an environment cannot be moved to another cluster<br>undo the change, or allow it with --allow-replace 'environment:shop/staging', or with \\\`manage: { consent: replace-{digest} }\\\` in its document

    **The flags that allow all of this:** \`--allow-replace environment:shop/staging\`

    <sub>Not checked: settings of 1 resource (use --strict). Requests: 13 spent on planning, 10 to apply; 979 of 1000 left, resets in N min. Digest: {digest}</sub>
    "
  `);
});

test("a plan without changes in Markdown is a heading", async () => {
  await fixture.write("shop.yaml", shop);
  await fixture.run(["apply", fixture.folder, "--yes"]);
  expect(await markdownOf()).toMatchInlineSnapshot(`
    "
    ### No changes to make: 2 resources in acme are as the manifests declare.

    <sub>Not checked: settings of 2 resources, variables and secrets of 2, contents of 1 (use --strict). Requests: 3 spent on planning; 991 of 1000 left, resets in N min.</sub>
    "
  `);
});

test("a long plan in Markdown is cut to the length limit of a comment", async () => {
  const jobs = Array.from({ length: 600 }, (_, index) => cronJob(`a-rather-long-name-of-a-job-${index}`));
  await fixture.write("shop.yaml", shop + jobs.join(""));
  const comment = await markdownOf();
  expect(comment.length).toBeLessThan(65_536);
  expect(comment).toMatch(/\n\n… and \d+ more\.\n/);
  expect(comment).toMatch(/\n {2}… and \d+ more lines\n```\n/);
});

const hostile = fc.string({
  unit: fc.constantFrom(
    ..."`*_[]()<>!~&|@#\\-+=:. \n\t\u001B\u202Eab1",
    "https://example.com",
    "www.example.com",
    "<b>",
    "&amp;",
    "``",
    "a@b.cd",
  ),
  maxLength: 30,
});

describe("Markdown shows every text unchanged", () => {
  test("in a paragraph, without links", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const html = marked.parseInline(`x${plain(text)}x`, { async: false });
        expect(html.replaceAll("<!-- -->", "")).not.toMatch(/<[a-z]/);
        expect(textOf(html)).toBe(`x${escapeControl(text)}x`);
      }),
    );
  });

  test("as code in a table", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const html = marked.parse(table(["a", "b"], [[code(`x${text}x`), plain("|")]]), { async: false });
        const [, cell = ""] =
          /<td><code>((?:[^<]|<!-- -->)*)<\/code><\/td>\s*<td>(?:\||&#124;)<\/td>/.exec(html) ?? [];
        expect(textOf(cell)).toBe(`x${escapeControl(text)}x`);
      }),
    );
  });

  test("in a block of code", () => {
    fc.assert(
      fc.property(fc.array(hostile.map(escapeControl)), (lines) => {
        const html = marked.parse(codeBlock(["first", ...lines, "last"], "diff"), { async: false });
        const [, block = ""] =
          /^<pre><code class="language-diff">([^<]*)<\/code><\/pre>\s*$/.exec(html) ?? [];
        expect(textOf(block).trimEnd()).toBe(["first", ...lines, "last"].join("\n"));
      }),
    );
  });
});

/** The text that the rendered page shows. */
function textOf(html: string): string {
  return html
    .replaceAll("<!-- -->", "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&#124;", "|")
    .replaceAll("&amp;", "&");
}

test("the lines of a difference have their colours whatever the name of the field is, and no text takes one", () => {
  const change = {
    kind: "Job",
    reference: "shop/staging/a",
    type: "update",
    symbol: "~",
    diffSymbol: "!",
    verb: "change",
    tone: "note" as const,
    remark: undefined,
    isWhole: false,
    details: [
      {
        detail: "fields" as const,
        compares: true,
        rows: [
          {
            path: "variables.A KEY.value",
            difference: [
              { kind: "removed" as const, text: "-one" },
              { kind: "added" as const, text: "+two" },
            ],
          },
        ],
      },
      { detail: "note" as const, text: "also deletes: nothing" },
    ],
  };
  expect(detailsMarkdown([change]).join("\n")).toContain(
    "! ~ Job shop/staging/a\n      variables.A KEY.value\n-       one\n+       two\n      note: also deletes: nothing\n",
  );
});
