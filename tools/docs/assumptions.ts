// Writes infrasync's assumptions about a server into docs/reference/assumptions.md: from the test cases of the conformance
// tests, and from the emulator's other behaviours.
import { Behaviour } from "../../emulator/world/behaviour.ts";
import { harmless, type Reaction, reactions } from "../../test/conformance/assumptions/reactions.ts";
import { cases } from "../../test/conformance/assumptions/cases/index.ts";
import type { AssumptionCase } from "../../test/conformance/assumptions/assumption-case.ts";
import { table, writeSections } from "./section.ts";

const page = "reference/assumptions.md";

function section({ name, assumption, reason, otherwise, requests, needs, costs }: AssumptionCase): string {
  const most = requests === 1 ? "one request" : `at most ${requests} requests`;
  const where = needs === "nothing" ? ", creates nothing" : "";
  return [
    `### ${name}`,
    "",
    `**${assumption}**`,
    "",
    `- Why infrasync relies on it: ${reason}`,
    `- Otherwise: ${otherwise}`,
    `- The test case: ${most}${where}${costs ? ", with `--allow-cost` only" : ""}.`,
  ].join("\n");
}

const words: Record<Reaction["way"], string> = {
  copes: "infrasync copes",
  refuses: "infrasync refuses what it cannot know",
  "no matter": "it cannot matter",
};

// The types of the schemas do not name their descriptions.
const members = Object.entries(Behaviour.properties as unknown as Record<string, { description: string }>);

const exceptions = Object.entries(reactions).flatMap(([member, { details }]) =>
  details.length === 0 ? [] : `- \`${member}\`: ${details.join(" ")}`,
);

writeSections([
  {
    page,
    name: "behaviour",
    text: `${table(
      ["Member", "The server", "How it is noticed", "What happens then"],
      members.map(([member, { description }]) => {
        const { way, noticed, reaction } = reactions[member as keyof Behaviour];
        return [
          `\`${member}\``,
          description,
          noticed,
          way === "no matter" ? words[way] : `${words[way]}: ${reaction}`,
        ];
      }),
    )}\n\n${exceptions.join("\n")}`,
  },
  {
    page,
    name: "harmless",
    text: table(
      ["The description leaves open", "Why it cannot matter"],
      harmless.map((row) => [...row]),
    ),
  },
  { page, name: "assumptions", text: cases.map(section).join("\n\n") },
]);
