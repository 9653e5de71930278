import { beforeEach, expect, test } from "vitest";
import { useFixture } from "../fixture.ts";
import { cronJob, lifecycleJob } from "../../fixtures/manifests.ts";

/**
 * Clears the screen, rings the bell, reverses the text direction, and breaks lines with characters that only some
 * programs treat as line ends.
 */
const evil = "\u001b[2J\u0007\u009b31m\u0085\u202egnp.\u2066\u200b\u2028\ufeff\u007f";
const hostile = (name: string) => `${name}${evil}`;
const quoted = (name: string) => JSON.stringify(hostile(name));

const jobOf = (name: string) => ({
  name,
  description: hostile("text"),
  source: { image: { registry_id: "docker-hub", image_name: "acme/report", tag: "1" } },
  schedule: { cronjob: { scheduled_at: "0 3 * * *" } },
  healthchecks: {},
  variables: [{ key: "KEY", value: hostile("value") }],
});
const projectOf = (name: string, environment: string, jobs: object[]) => ({
  name,
  description: hostile("text"),
  environments: [{ name: environment, mode: "STAGING", cluster: "eu-west", jobs }],
});

const fixture = useFixture({
  seed: {
    organization: { name: hostile("acme") },
    projects: [
      projectOf("shop", "staging", [jobOf("job"), jobOf(hostile("job"))]),
      projectOf(hostile("other"), hostile("production"), [jobOf(hostile("job"))]),
    ],
  },
});

const inside = `${hostile("other")}/${hostile("production")}`;

/** A plan that updates, creates, clones, replaces and deletes; a document may not have such a name itself. */
const manifests = `kind: Project
name: shop
description: ${quoted("new")}
---
kind: Environment
project: shop
name: staging
manage: { prune: true }
${cronJob("new", `description: ${quoted("a\nb")}\n`)}${lifecycleJob("job", `description: ${quoted("new")}\n`)}---
kind: Environment
project: shop
name: copy
clone: { from: shop/staging }
`;
const wrong = `kind: Project\nname: ${quoted("shop")}\n${quoted("member")}: ${quoted("value")}\n`;

/** All characters except text, line ends and the sequences of our own spinner and colours. */
function unsafe(text: string): string[] {
  // oxlint-disable-next-line no-control-regex
  const plain = text.replaceAll(/\u001b\[(?:\?\d+[lh]|[\d;]*m)|\r|\n/g, "");
  return plain.match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu) ?? [];
}

const consent = ["--prune", "--allow-replace", "**", "--max-deletes", "100%"];
const commands: [name: string, args: string[]][] = [
  ["validate", ["validate", "FOLDER/wrong"]],
  ["plan of what is wrong", ["plan", "FOLDER/wrong"]],
  ["plan", ["plan", "FOLDER/right", ...consent]],
  ["plan as Markdown", ["plan", "FOLDER/right", ...consent, "--output", "markdown"]],
  ["plan that is refused", ["plan", "FOLDER/right", "--prune"]],
  ["plan of all that differs", ["plan", "FOLDER/right", "--strict"]],
  ["plan to a file", ["plan", "FOLDER/right", "--out", `FOLDER/${hostile("plan")}`]],
  ["plan --destroy", ["plan", "FOLDER/right", "--destroy"]],
  ["apply", ["apply", "FOLDER/right", "--yes", ...consent]],
  ["destroy", ["destroy", "FOLDER/right", "--yes", "--max-deletes", "100%"]],
  ["clone", ["clone", "environment", inside, "--to", "shop", "--name", "copied", "--yes"]],
  ["clone under a name", ["clone", "job", `${inside}/${hostile("job")}`, "--to", "shop/staging", "--yes"]],
  ["clone of a source that does not exist", ["clone", "job", `${inside}/x`, "--to", "shop/staging", "--yes"]],
  ["dump", ["dump", "shop"]],
  ["dump of what can have no manifest", ["dump", hostile("other")]],
  ["dump of an address that does not exist", ["dump", `${inside}/x`]],
  ["dump to a folder", ["dump", hostile("other"), "--out", `FOLDER/${hostile("dump")}`]],
  ["schema to a folder", ["schema", "--out", `FOLDER/${hostile("schemas")}`]],
  ["schema of an unknown kind", ["schema", hostile("job")]],
  ["a flag that does not exist", ["plan", `--${evil}`]],
  ["a command that does not exist", [hostile("plan")]],
  ["a pattern that chooses nothing", ["plan", "FOLDER/right", "--target", hostile("x")]],
  ["an organization that does not exist", ["plan", "FOLDER/right", "--organization", hostile("x")]],
  ["a file that does not exist", ["plan", hostile("x")]],
];

beforeEach(async () => {
  await fixture.write(`right/${hostile("shop")}.yaml`, manifests);
  await fixture.write(`wrong/${hostile("shop")}.yaml`, wrong);
});

const styles: [name: string, args: string[], columns: number | undefined][] = [
  ["text", [], undefined],
  ["text on a terminal", [], 120],
  ["JSON", ["--output", "json"], undefined],
  ["JSON on a terminal", ["--output", "json"], 120],
];

test.each(commands)("control characters from a server or a file reach no output: %s", async (_name, args) => {
  for (const [, style, columns] of styles) {
    await fixture.reset();
    const given = [...args.map((argument) => argument.replace("FOLDER", fixture.folder)), ...style];
    const env = { INFRASYNC_LOG_LEVEL: "debug" };
    const ran = await fixture.run(given, { env, ...(columns !== undefined && { columns }) });
    expect(ran.stdout + ran.stderr).toMatch(/\\(?:u001b|e)\[2J/);
    expect({ stdout: unsafe(ran.stdout), stderr: unsafe(ran.stderr) }).toEqual({ stdout: [], stderr: [] });
  }
});
