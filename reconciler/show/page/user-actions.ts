import { html, type Html } from "../../../adapters/web/html.ts";
import { capitalized } from "../../../core/values/text.ts";
import { rollbackText } from "../../decide/index.ts";
import { isSame, theService } from "../../identity.ts";
import { may, type Person } from "../../people/index.ts";
import { type Suspension, suspensionText } from "../../policy/index.ts";
import { endOfPause, type RequestTargets, table, verbNames } from "../../requests/index.ts";
import { type VerbMember, type VerbName, verbs } from "../../verbs.ts";
import { suspensionsOf } from "../environment-statuses.ts";
import type { EnvironmentStatus } from "../status-form.ts";
import type { ShownCommits } from "../commits.ts";
import { namesOf } from "../visible-status.ts";
import { commitText } from "./commit.ts";
import { renderText } from "./words.ts";

/** The visitor of a page. */
export interface Guest {
  person: Person;
  /** Proves that a form is of this page. */
  proof: string;
  /** Whether the person has signed in, or could. */
  isSignedIn: boolean;
  canSignIn: boolean;
}

/** The visitor of a source's page, with the facts for its forms. */
export interface Visitor extends Guest {
  known: RequestTargets;
  commits: ShownCommits;
  reported?: { text: string; isRefused: boolean } | undefined;
}

/** The sign-in and sign-out links. */
export function renderGuest({ person, proof, isSignedIn, canSignIn }: Guest): Html {
  return html`${!isSignedIn && canSignIn && html`<p><a class="button" href="/enter">Sign in</a></p>`}
  ${
    isSignedIn &&
    html`<form class="act" method="post" action="/sign-out">
      ${renderHidden({ _csrf: proof })}
      <span class="faint">Signed in as ${person.identity.name}</span> <button>Sign out</button>
    </form>`
  }`;
}

/** The outcome of the person's last request, the person, and the requests for all environments. */
export function renderVisitor(
  { reported, known, commits, ...guest }: Visitor,
  environments: readonly EnvironmentStatus[],
): Html {
  const { person, proof } = guest;
  const byName = new Map(known.environments.map((each) => [each.name, each]));
  const noSync = environments.map((status) => {
    const environment = byName.get(status.name);
    return environment && table.sync.withoutEffect?.(environment, known.of(environment), person);
  });
  return html`${reported && html`<p class="banner${!reported.isRefused && " good"}" role="status">${reported.text}</p>`}
  ${renderGuest(guest)}
  ${
    may(person, "operate", []) &&
    html`<div class="acts" role="group" aria-label="All environments">
      ${verbNames.map((verb) => {
        const { buttonOfAll: button } = verbs[verb];
        if (button === undefined) return "";
        return verb === "sync" && noSync.length > 0 && noSync.every((reason) => reason !== undefined)
          ? renderWithout(verb, [...new Set(noSync)].join("; "))
          : renderForm(verb, "", proof, { button, fold: "all", commits });
      })}
    </div>`
  }`;
}

/** The requests that the person can make for an environment. */
export function renderUserActions(status: EnvironmentStatus, visitor: Visitor): Html | false {
  const { person, known, proof, commits } = visitor;
  const { name: environment } = status;
  const names = namesOf(environment);
  const found = known.environments.find(({ name }) => name === environment);
  if (!found || !may(person, "operate", names)) return false;
  const its = known.of(found);
  const suspensions = suspensionsOf(status);
  return html`<div class="acts" role="group" aria-label="Act on ${environment}">
    ${verbNames.map((verb) => {
      if (verb === "resume") return html`${suspensions.map((each) => renderSuspension(each, visitor))}`;
      const offered = table[verb].offer?.(found, its);
      if (!offered || !may(person, verbs[verb].role, names)) return "";
      const reason = table[verb].withoutEffect?.(found, its, person);
      if (reason !== undefined) return renderWithout(verb, reason);
      const delay = table[verb].delay?.(its);
      return html`${renderForm(verb, environment, proof, { offered, fold: environment, commits })}${
        delay !== undefined && html`<span class="faint">The approved plan waits: ${delay}.</span>`
      }`;
    })}
  </div>`;
}

function renderWithout(verb: VerbName, reason: string): Html {
  return html`<span class="faint">No ${verbs[verb].noun.replace(/^an? /, "")}: ${reason}.</span>`;
}

/** The requests of people there, with pauses and waits. */
export function renderRequested(
  { name, requested, rolled_back: rolledBack }: EnvironmentStatus,
  now: number,
  { environments, of }: RequestTargets,
): Html | false {
  if (!requested && !rolledBack) return false;
  const its = environments.find((each) => each.name === name);
  const delay = requested && its && table[requested.type].delay?.(of(its));
  const when = delay === undefined ? ", for the next cycle" : `; it waits: ${delay}`;
  return html`${rolledBack && html`<p>${renderText(capitalized(rollbackText(rolledBack)), now)}. Held until a commit changes this environment.</p>`}${
    requested && html`<p>${capitalized(verbs[requested.type].done)} by ${requested.by.name}${when}.</p>`
  }`;
}

/** How the person can end a pause or suspension, or why not. */
function renderSuspension(
  suspension: Suspension,
  { person, known, proof }: Pick<Visitor, "person" | "known" | "proof">,
): Html {
  const { pause } = suspension;
  const end = pause && endOfPause(pause, person, known);
  if (!pause) return html`<span class="faint">Only a commit ends a suspension of the policy.</span>`;
  if (isSame(pause.by, theService))
    return html`<span class="faint">The pause ends when that is repaired.</span>`;
  if (end === undefined)
    return html`<span class="faint"
      >${pause.by.name} ends the pause${pause.pattern.includes("*") && ` of ${pause.pattern}`}, or a person
      who may approve there.</span
    >`;
  const of = `${pause.pattern.includes("*") ? ` ${pause.pattern}` : ""}${end === "all" ? " for all" : ""}`;
  return renderForm("resume", pause.pattern, proof, {
    hidden: { ...(end === "all" && { all: "true" }) },
    title: suspensionText(suspension),
    button: verbs["resume"].button + of,
  });
}

/** The form of a verb: members with one possible value are hidden, choices are listed, others are typed. */
function renderForm(
  verb: VerbName,
  environment: string,
  proof: string,
  {
    offered = {},
    hidden = {},
    title,
    button,
    fold = "",
    commits = new Map(),
  }: {
    offered?: Readonly<Record<string, readonly string[]>>;
    hidden?: Readonly<Record<string, string>>;
    title?: string;
    button?: string;
    fold?: string;
    commits?: ShownCommits;
  },
): Html {
  const declared = verbs[verb];
  const members = Object.entries(declared.members);
  const given = members.flatMap(([name, { field }]) => {
    const [only] = offered[name] ?? [];
    return only === undefined || field ? [] : [[name, only] as const];
  });
  const fields = {
    type: verb,
    ...(environment !== "" && { environment }),
    ...Object.fromEntries(given),
    ...hidden,
    _csrf: proof,
  };
  const tip = title ?? given.map((each) => each.join(" ")).join(", ");
  const form = html`<form class="act" method="post" action="requests">
    ${renderHidden(fields)}
    ${members.map(([name, { field }]) => field && renderField(name, field, offered[name], commits))}
    <button class="${declared.role === "approve" && "strong"}" title="${tip}">
      ${button ?? declared.button}
    </button>
  </form>`;
  return declared.fold === undefined
    ? form
    : html`<details id="${verb}-${fold}">
        <summary>${declared.fold}${environment === "" && " all"}</summary>
        ${form}
      </details>`;
}

function renderField(
  name: string,
  { label, value = "", longest, isRepeated }: NonNullable<VerbMember["field"]>,
  offered: readonly string[] | undefined,
  commits: ShownCommits,
): Html | false {
  const [first] = offered ?? [];
  if (offered && first === undefined) return false;
  if (offered && !isRepeated)
    return html`<label
      >${label}
      <select name="${name}">
        ${offered.map((each) => html`<option value="${each}">${commitText(each, commits)}</option>`)}
      </select></label
    >`;
  const size = Math.min(24, (first ?? value).length + 4);
  return html`<label
    >${first !== undefined && html`type <code>${first}</code>, `}${label}
    <input name="${name}" value="${value}" required autocomplete="off" maxlength="${longest}" size="${size}"
  /></label>`;
}

function renderHidden(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
}
