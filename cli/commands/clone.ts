import { toDesired } from "../../core/desired.ts";
import { dump } from "../../core/dump.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { ensureAnswer } from "../ask.ts";
import { makeChange } from "../change.ts";
import { cloneDocument } from "../clone-document.ts";
import type { Console } from "../console.ts";
import type { ConsentFlags, SettingFlags } from "../flags.ts";
import { readSettings } from "../inputs.ts";
import { manifestJson, manifestsText } from "../manifests-text.ts";
import { planFor } from "../planning.ts";
import { title } from "../render/plan.ts";
import { openSession } from "../session.ts";
import { withStatus } from "../status.ts";

interface Flags extends SettingFlags, ConsentFlags {
  to: string;
  name?: string;
  set?: string[];
}

/** `infrasync clone`: clones one resource, and gives the manifest that describes the clone. */
export async function clone(kind: string, source: string, flags: Flags, console: Console): Promise<number> {
  ensureAnswer("clone", flags, [], console);
  const { document, problems } = cloneDocument({ ...flags, kind, source });
  const settings = await readSettings(flags, console, problems);
  const { resources } = toDesired(document ? [document] : []);
  const [wanted] = resources;
  if (!wanted) throw new InvalidInputError(problems);

  return withStatus(console, (status) =>
    makeChange(
      {
        question: "Make this clone?",
        async prepare() {
          const session = await openSession(settings, console, status);
          const plan = await planFor("reconcile", resources, session, {}, settings);
          const [action] = plan.actions;
          if (action && action.type !== "clone") {
            plan.notes.push({ address: action.address, message: "exists already, so nothing is cloned" });
          }
          return { plan, operations: session.operations };
        },
        async result({ plan, operations }) {
          status.working(`reading ${title(plan.actions[0]?.address ?? "")}`);
          const { documents } = await dump(operations.client, plan.organization, wanted.address);
          status.pause();
          return { text: manifestsText(documents), json: { documents: documents.map(manifestJson) } };
        },
      },
      { settings, flags, status, console },
    ),
  );
}
