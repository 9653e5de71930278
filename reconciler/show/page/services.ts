import { parseAnyAddress } from "../../../core/model/addresses/address.ts";
import { meaningOf } from "../../../core/state/live/index.ts";
import { serviceNotes, shortVersion } from "../../../core/outputs/show/index.ts";
import { html, type Html } from "../../../adapters/web/html.ts";
import type { BadgeTone } from "../../journal/index.ts";
import type { EnvironmentStatus } from "../status-form.ts";
import { moment } from "./words.ts";

type Service = EnvironmentStatus["services"][number];

const mostUrls = 2;

/** What runs in an environment, as `infrasync status` shows it. @param isBrief whether a link leads to it */
export function renderServices(
  { name, services, unmanaged = [] }: EnvironmentStatus,
  now: number,
  isBrief: boolean,
): Html | false {
  if (services.length === 0) return false;
  if (isBrief) return html`<p><a href="./?q=${encodeURIComponent(name)}">${services.length} services</a></p>`;
  return html`<table class="services">
    <caption class="unseen">
      Services of ${name}
    </caption>
    <thead>
      <tr>
        ${["Service", "State", "Version", "Deployed", "Address"].map((each) => html`<th scope="col">${each}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${services.map((service) => renderService(service, now, unmanaged.includes(service.address)))}
    </tbody>
  </table>`;
}

function renderService(service: Service, now: number, isUnmanaged: boolean): Html {
  const { address, state, version, deployed_at: at, urls, console_url: console, health } = service;
  const { kind, names } = parseAnyAddress(address);
  const name = names.at(-1) ?? address;
  const notes = serviceNotes({
    declared: service.declared_version,
    deploymentStatus: service.deployment_status,
    changes: service.changed_around,
  });
  return html`<tr>
    <th scope="row">
      ${console === undefined ? name : html`<a href="${console}">${name}</a>`}
      <span class="faint">${kind.name}</span>
    </th>
    <td><span class="badge ${toneOf(service)}">${state || health || "unknown"}</span></td>
    <td>
      ${version !== undefined && html`<code title="${version}">${shortVersion(version)}</code>`}
      ${[...notes, ...(isUnmanaged ? ["unmanaged"] : [])].map((note) => html`<span class="note">${note}</span> `)}
    </td>
    <td>${at !== undefined && moment(at, now)}</td>
    <td>${urls === undefined ? html`<span class="faint">not read</span>` : renderUrls(urls)}</td>
  </tr> `;
}

function renderUrls(urls: readonly string[]): Html {
  const more = urls.length - mostUrls;
  return html`${urls
    .slice(0, mostUrls)
    .map(
      (url) => html`${/^https?:/.test(url) ? html`<a href="${url}">${url}</a>` : url} `,
    )}${more > 0 && html`<span class="faint" title="${urls.slice(mostUrls).join("\n")}">+${more}</span>`}`;
}

function toneOf({ state, health }: Service): BadgeTone {
  if (health === "slow") return "bad";
  const tones = { done: "good", failed: "bad", canceled: "bad", unfinished: "note" } as const;
  return state === "" || state === "READY" ? "plain" : tones[meaningOf(state)];
}
