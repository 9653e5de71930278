import { type Address, childAddress } from "../../core/address.ts";
import type { LiveResource } from "../../core/live/index.ts";
import { nameKey } from "../../core/names.ts";
import type { Organization } from "../../core/organization.ts";
import { expiryKey, type ExpiryMark, markIn } from "../../core/parts/index.ts";
import type { Run } from "../../core/session/index.ts";
import { textIn } from "../../core/json.ts";
import { previewNumberOf } from "../policy/index.ts";

/** An environment with the name of a preview. */
export interface Existing {
  number: number;
  address: Address;
  live: LiveResource;
  /** The end of the preview, by its variable; undefined if infrasync has not made the environment. */
  mark: ExpiryMark | undefined;
}

/** The environments of a project with the names of previews. Reads what is not known. @param wanted the number of one; default: all */
export async function existingPreviews(
  run: Run,
  organization: Organization,
  projectName: string,
  wanted?: number,
): Promise<Existing[]> {
  const { client, live } = run;
  const projects = await live.contentsOf(client, undefined, organization.id);
  const project = projects?.resources.find(({ name }) => nameKey(name) === nameKey(projectName));
  if (!project) return [];
  const contents = await live.contentsOf(client, project.kind, project.id);
  const address: Address = { kind: project.kind, names: [project.name] };
  const found = (contents?.resources ?? []).flatMap((each) => {
    const number = previewNumberOf(each.name);
    return number === undefined || number !== (wanted ?? number) ? [] : [{ each, number }];
  });
  return Promise.all(
    found.map(async ({ each, number }) => ({
      number,
      live: each,
      address: childAddress(address, each.kind, each.name),
      mark: await markOf(run, each),
    })),
  );
}

/** Whether an environment is a preview that infrasync has made: its mode, its name and its mark agree. */
export function isOurs({ live, mark }: Existing): boolean {
  return live.fields["mode"] === "PREVIEW" && mark !== undefined && nameKey(mark.name) === nameKey(live.name);
}

/** Whether the time of a preview is over. */
export function isOver({ mark }: Existing, now: number): boolean {
  return mark !== undefined && Date.parse(mark.value) <= now;
}

/** The mark of an environment, as its own variable says. */
async function markOf({ client, live }: Run, environment: LiveResource): Promise<ExpiryMark | undefined> {
  const parts = environment.kind.parts.filter(({ member }) => member === "variables");
  const entries = await live.partsOf(client, environment, parts);
  const entry = entries?.find(({ key, isOwn }) => isOwn && key === expiryKey);
  if (!entry) return undefined;
  const [value, description] = ["value", "description"].map((member) => textIn(entry.response, member) ?? "");
  return markIn({ variables: { [expiryKey]: { value: value ?? "", description: description ?? "" } } });
}
