import { html, type Html } from "../../../adapters/web/html.ts";
import { capitalized } from "../../../core/values/text.ts";
import { losingIn, requestWords, rollbackText } from "../../decide/index.ts";
import {
  endOfPause,
  type KnownShares,
  may,
  type Person,
  reasonWithoutEffect,
  type UserActionType,
} from "../../people/index.ts";
import { reasonToHold, type Suspension, suspensionText } from "../../policy/index.ts";
import { suspensionsOf } from "../standings.ts";
import type { EnvironmentStatus } from "../status-form.ts";
import type { ShownCommits } from "../commits.ts";
import { namesOf } from "../seen.ts";
import { commitText } from "./commit.ts";

/** Who looks at a page. */
export interface Guest {
  person: Person;
  /** Proves that a form is of this page. */
  proof: string;
  /** Whether the person has signed in, or could. */
  isSignedIn: boolean;
  canSignIn: boolean;
}

/** Who looks at the page of a source, and what the forms need that act for this person. */
export interface Visitor extends Guest {
  known: KnownShares;
  /** The commits that the page shows. */
  commits: ShownCommits;
  told?: { text: string; isRefused: boolean } | undefined;
}

/** The ways in and out. */
export function renderGuest({ person, proof, isSignedIn, canSignIn }: Guest): Html {
  return html`${!isSignedIn && canSignIn && html`<p><a class="button" href="/enter">Sign in</a></p>`}
  ${
    isSignedIn &&
    html`<form class="act" method="post" action="/sign-out">
      ${hidden({ _csrf: proof })}
      <span class="faint">Signed in as ${person.identity.name}</span> <button>Sign out</button>
    </form>`
  }`;
}

/** The outcome of the person's last request, the person, and the actions for all environments. */
export function renderVisitor(
  { told, known, commits: _commits, ...guest }: Visitor,
  environments: readonly EnvironmentStatus[],
): Html {
  const { person, proof } = guest;
  const reasons = environments.map((status) => withoutEffect("sync", status, known));
  return html`${told && html`<p class="banner${!told.isRefused && " good"}" role="status">${told.text}</p>`}
  ${renderGuest(guest)}
  ${
    may(person, "operate", []) &&
    html`<div class="acts" role="group" aria-label="All environments">
      ${button("refresh", "", "Refresh all", proof)}
      ${
        reasons.length > 0 && reasons.every((reason) => reason !== undefined)
          ? html`<span class="faint">No sync: ${[...new Set(reasons)].join("; ")}.</span>`
          : button("sync", "", "Sync all", proof)
      }
      ${pauseForm("", proof)}
    </div>`
  }`;
}

/** The actions that the person can ask for for an environment. */
export function renderUserActions(
  status: EnvironmentStatus,
  { person, known, proof, commits }: Visitor,
): Html | false {
  const { name: environment, plan, rolled_back: rolledBack, asked } = status;
  const names = namesOf(environment);
  const share = known.shares.find(({ name }) => name === environment);
  if (!share || !may(person, "operate", names)) return false;
  const differs = plan !== undefined;
  const [noSync, noApproval, noRollback, noPause] = (["sync", "approve", "rollback", "pause"] as const).map(
    (type) => withoutEffect(type, status, known),
  );
  const hasFailed = known.deploys && status.services.some(({ health }) => health === "failed");
  const rules = known.rulesOf(share);
  const suspensions = suspensionsOf(status);
  const held = rules && reasonToHold({ ...rules, suspensions });
  const isApproving = plan !== undefined && asked?.type !== "approve" && may(person, "approve", names);
  const earlier = known.appliedCommitsIn(share).filter(({ commit }) => commit !== status.applied);
  return html`<div class="acts" role="group" aria-label="Act on ${environment}">
    ${
      isApproving &&
      noApproval === undefined &&
      html`<form class="act" method="post" action="requests">
        ${hidden({ type: "approve", environment, plan, _csrf: proof })} ${renderLossToName(status)}
        <button class="strong" title="plan ${plan}">Approve this plan</button>
      </form>`
    }
    ${(differs || hasFailed) && noSync === undefined && button("sync", environment, "Sync now", proof)}
    ${button("refresh", environment, "Refresh", proof)}
    ${rolledBack !== undefined && button("follow", environment, "Follow the newest commit", proof)}
    ${(differs || hasFailed) && noSync !== undefined && html`<span class="faint">No sync: ${noSync}.</span>`}
    ${isApproving && noApproval !== undefined && html`<span class="faint">No approval: ${noApproval}.</span>`}
    ${
      isApproving &&
      noApproval === undefined &&
      held !== undefined &&
      html`<span class="faint">What is approved waits: ${held}.</span>`
    }
    ${suspensions.map((each) => renderSuspension(each, { person, known, proof }))}
    ${earlier.length > 0 && noRollback !== undefined && html`<span class="faint">No rollback: ${noRollback}.</span>`}
    ${
      earlier.length > 0 &&
      noRollback === undefined &&
      html`<details id="rollback-${environment}">
        <summary>Roll back</summary>
        <form class="act" method="post" action="requests">
          ${hidden({ type: "rollback", environment, _csrf: proof })}
          <label
            >to
            <select name="commit">
              ${earlier.map(({ commit }) => html`<option value="${commit}">${commitText(commit, commits)}</option>`)}
            </select></label
          >
          <button>Roll back until the next commit there</button>
        </form>
      </details>`
    }
    ${names.length > 0 && (noPause === undefined ? pauseForm(environment, proof) : html`<span class="faint">No pause: ${noPause}.</span>`)}
  </div>`;
}

/** Why an action has no effect in an environment now. */
function withoutEffect(
  type: UserActionType,
  status: EnvironmentStatus,
  known: KnownShares,
): string | undefined {
  const share = known.shares.find(({ name }) => name === status.name);
  const rules = share && known.rulesOf(share);
  return reasonWithoutEffect(type, {
    rules: rules && { ...rules, suspensions: suspensionsOf(status) },
    isBlocked: status.state === "blocked",
  });
}

/** The field for the name of what an approval loses for good; false: it loses nothing. */
function renderLossToName({ changes }: EnvironmentStatus): Html | false {
  const [[address, name] = []] = losingIn(changes);
  return (
    name !== undefined &&
    html`<label title="${address}"
      >type <code>${name}</code>, which is lost for good
      <input name="lost" required autocomplete="off" maxlength="300" size="${Math.min(24, name.length + 2)}"
    /></label>`
  );
}

/** What people have asked for there, and what holds or waits. */
export function renderAsked({ asked, rolled_back: rolledBack }: EnvironmentStatus): Html | false {
  if (!asked && !rolledBack) return false;
  return html`${rolledBack && html`<p>${capitalized(rollbackText(rolledBack))}, until a commit changes this environment.</p>`}${
    asked && html`<p>${capitalized(requestWords[asked.type])} by ${asked.by.name}, for the next cycle.</p>`
  }`;
}

/** How the person can end what holds an environment, or why not. */
function renderSuspension(
  suspension: Suspension,
  { person, known, proof }: Pick<Visitor, "person" | "known" | "proof">,
): Html {
  const { pause } = suspension;
  const end = pause && endOfPause(pause, person, known);
  if (!pause) return html`<span class="faint">Only a commit ends what the policy suspends.</span>`;
  if (end === undefined)
    return html`<span class="faint"
      >${pause.by.name} ends the pause${pause.pattern.includes("*") && ` of ${pause.pattern}`}, or who may
      approve there.</span
    >`;
  return html`<form class="act" method="post" action="requests">
    ${hidden({ type: "resume", environment: pause.pattern, ...(end === "all" && { all: "true" }), _csrf: proof })}
    <button title="${suspensionText(suspension)}">
      Resume${pause.pattern.includes("*") && ` ${pause.pattern}`}${end === "all" && " for all"}
    </button>
  </form>`;
}

function pauseForm(environment: string, proof: string): Html {
  return html`<details id="pause-${environment === "" ? "all" : environment}">
    <summary>Pause${environment === "" && " all"}</summary>
    <form class="act" method="post" action="requests">
      ${hidden({ type: "pause", environment, _csrf: proof })}
      <label>for <input name="for" value="2h" required maxlength="20" size="6" /></label>
      <label>because <input name="reason" required maxlength="300" /></label>
      <button>Pause</button>
    </form>
  </details>`;
}

function button(type: string, environment: string, text: string, proof: string): Html {
  return html`<form class="act" method="post" action="requests">
    ${hidden({ type, environment, _csrf: proof })}<button>${text}</button>
  </form>`;
}

function hidden(fields: Record<string, string>): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}
