import { chown, mkdir, rename, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnInfrasync } from "../child.ts";
import { useFixture } from "../fixture.ts";
import { shop } from "../../fixtures/manifests.ts";

const fixture = useFixture();

const me = process.geteuid?.() ?? 0;
const stranger = me + 4321;
const settings = "protect: [shop/**]\n";

/** Gives a folder to another user: by chown, or, without the permission for it, by a link to a folder of root. */
async function giveAway(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  if (me === 0) return chown(path, stranger, stranger);
  await rename(path, `${path}.old`);
  await symlink("/usr", path);
}

test("settings of another user are refused with the reason and the remedy", async () => {
  await fixture.write("shop.yaml", shop);
  const file = await fixture.write("infrasync.config.yaml", settings);
  const asStranger = (...args: string[]) =>
    fixture.run(["validate", fixture.folder, ...args], { user: stranger });
  expect(await asStranger()).toEqual({
    code: 3,
    stdout: "",
    stderr: `error: infrasync.config.yaml is not trusted, because manifests belongs to another user (id ${me})
  if you trust the file, choose it with --config infrasync.config.yaml; otherwise choose a file of your own with --config
`,
  });
  expect(await asStranger("--config", file)).toMatchObject({ code: 0 });
  expect(await fixture.run(["validate", fixture.folder])).toMatchObject({ code: 0 });
});

test("without a settings file, a folder of another user is accepted", async () => {
  await fixture.write("shop.yaml", shop);
  expect(await fixture.run(["validate", fixture.folder], { user: stranger })).toMatchObject({ code: 0 });
});

test("root with sudo accepts the settings of the user who called sudo, as git does", async () => {
  await fixture.write("shop.yaml", shop);
  await fixture.write("infrasync.config.yaml", settings);
  if (me === 0) await chown(fixture.folder, stranger, stranger);
  if (me === 0) await chown(join(fixture.folder, "infrasync.config.yaml"), stranger, stranger);
  const owner = String(me === 0 ? stranger : me);
  const validate = (env: Record<string, string>, user: number) =>
    fixture.run(["validate", fixture.folder], { env, user });
  expect(await validate({}, 0)).toMatchObject({ code: 3 });
  expect(await validate({ SUDO_UID: owner }, 0)).toMatchObject({ code: 0 });
  expect(await validate({ SUDO_UID: owner }, stranger + 1)).toMatchObject({ code: 3 });
});

test("a .git of another user does not extend the search for settings above the working directory", async () => {
  const validate = () => spawnInfrasync(["validate"], {}, join(fixture.folder, "manifests")).ended;
  await fixture.write("manifests/shop.yaml", shop);
  await fixture.write("infrasync.config.yaml", settings);
  await mkdir(join(fixture.folder, ".git"));
  expect(await validate()).toMatchObject({ code: 0 });
  await giveAway(join(fixture.folder, ".git"));
  const { code, stderr } = await validate();
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^error: \.\.\/infrasync\.config\.yaml is not trusted, because \.\.\/\.git belongs to/,
  );
  // Below the working directory, the working directory is enough.
  await fixture.write("manifests/infrasync.config.yaml", settings);
  expect(await validate()).toMatchObject({ code: 0 });
});

test("a protected resource stays protected when the manifest is read through a link", async () => {
  await mkdir(join(fixture.folder, ".git"));
  const file = await fixture.write("there/shop.yaml", shop);
  await fixture.run(["apply", file, "--yes"]);
  await fixture.write("there/infrasync.config.yaml", settings);
  await mkdir(join(fixture.folder, "here"));
  const link = join(fixture.folder, "here/shop.yaml");
  await symlink(file, link);
  const destroy = () => fixture.run(["destroy", link, "--yes"]);
  const refused = { code: 3, stderr: expect.stringContaining('protected by the pattern "shop/**"') };
  expect(await destroy()).toMatchObject(refused);
  // The settings beside the link apply too, and do not remove the protection.
  await fixture.write("here/infrasync.config.yaml", "max_deletes: 100\n");
  expect(await destroy()).toMatchObject(refused);
  await fixture.write("there/infrasync.config.yaml", "protect: [3]\n");
  expect((await destroy()).stderr).toContain(
    "there/infrasync.config.yaml:1:11: error: protect must be a list",
  );
  await fixture.write("there/infrasync.config.yaml", "{}\n");
  expect(await destroy()).toMatchObject({ code: 0 });
});
