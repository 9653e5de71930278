// Writes what infrasync assumes about a server into docs/reference/assumptions.md: from the stories of the conformance tests, and from what the emulator
// can be told to do otherwise.
import { Behaviour } from "../../emulator/world/behaviour.ts";
import { stories } from "../../test/conformance/assumptions/stories/index.ts";
import type { AssumptionStory } from "../../test/conformance/assumptions/story.ts";
import { table, writeSections } from "./section.ts";

const page = "reference/assumptions.md";

function section({ name, assumption, reason, otherwise, requests, needs, costs }: AssumptionStory): string {
  const most = requests === 1 ? "one request" : `at most ${requests} requests`;
  const where = needs === "nothing" ? ", creates nothing" : "";
  return [
    `### ${name}`,
    "",
    `**${assumption}**`,
    "",
    `- Why infrasync relies on it: ${reason}`,
    `- Otherwise: ${otherwise}`,
    `- The story: ${most}${where}${costs ? ", with `--allow-cost` only" : ""}.`,
  ].join("\n");
}

// The types of the schemas do not name their descriptions.
const members = Object.entries(Behaviour.properties as unknown as Record<string, { description: string }>);

writeSections([
  {
    page,
    name: "behaviour",
    text: table(
      ["Member", "The server"],
      members.map(([member, { description }]) => [`\`${member}\``, description]),
    ),
  },
  { page, name: "assumptions", text: stories.map(section).join("\n\n") },
]);
