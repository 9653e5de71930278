import type { SlowFile } from "./slices.ts";

/** Slow test files, and why they are slow. */
interface SlowGroup {
  why: string;
  /** Names from the folder `test` without ending, and seconds on two idle cores, beside the tests of other workers. */
  files: Record<string, number>;
  /** Whether every slice has them. */
  isInEachSlice?: true;
}

export const slowGroups: readonly SlowGroup[] = [
  {
    why: "each run of Pulumi starts the engine, a provider and a program",
    files: {
      "provider/engine/adopt": 44,
      "provider/engine/both-doors": 6,
      "provider/engine/commonjs": 6,
      "provider/engine/deployment": 36,
      "provider/engine/faults": 9,
      "provider/engine/hundred": 13,
      "provider/engine/import": 18,
      "provider/engine/kills": 33,
      "provider/engine/make": 15,
      "provider/engine/messages": 8,
      "provider/engine/options": 9,
      "provider/engine/page": 9,
      "provider/engine/plugin": 43,
      "provider/engine/previews": 40,
      "provider/engine/providers": 35,
      "provider/engine/replace": 22,
      "provider/engine/secrets": 40,
      "provider/engine/stack": 6,
      "provider/engine/stack-traces": 3,
      "provider/engine/unclear": 24,
      "provider/engine/up": 62,
    },
  },
  {
    why: "a run gives up after a minute of errors, or within it if the server recovers",
    files: {
      "core/steps/breaker": 17,
      "provider/engine/breaker": 79,
    },
  },
  {
    why: "a job on a forge starts a shell, git and infrasync, as the runner of the forge does",
    files: {
      "cli/ci/github": 36,
      "cli/ci/gitlab": 31,
      "cli/ci/workflow": 14,
    },
  },
  {
    why: "a service follows a real repository, commit after commit",
    files: {
      "cli/commands/preview": 21,
      "cli/commands/reconcile": 10,
      "cli/commands/reconcile-lock": 9,
      "cli/commands/reconcile-secrets": 15,
      "cli/commands/reconcile-service": 50,
      "reconciler/cycle": 17,
      "reconciler/deletions": 9,
      "reconciler/looking/looking": 20,
      "reconciler/policy-cycle": 18,
      "reconciler/previews/keeper": 11,
      "reconciler/remote": 12,
      "reconciler/shares": 4,
      "tools/demo": 50,
    },
  },
  {
    why: "processes are killed, or requests fail, in many places of a run",
    files: {
      "cli/process": 15,
      "cli/standstill": 9,
      "core/api/processes": 6,
      "faults/budget": 20,
      "faults/canary": 24,
      "faults/cli": 11,
      "faults/disk": 9,
      "faults/kills": 21,
      "faults/organization": 7,
      "faults/reconciler-days": 23,
      "faults/reconciler-kills": 54,
      "faults/schedules": 29,
      "faults/together": 8,
      "provider/lifecycle/faults": 7,
      "provider/plugin/process": 11,
    },
  },
  {
    why: "hundreds of cases, or every kind",
    files: {
      "core/accept/accept.property": 5,
      "core/convert/convert": 6,
      "core/manifest/fuzz": 9,
      "core/plan/consent.property": 5,
      "core/run/every-kind": 9,
      "core/run/properties": 7,
      "core/schema/check.property": 3,
      "core/steps/clone": 11,
      "reconciler/windows": 6,
    },
  },
  {
    why: "a run waits for deployments or for the quota",
    files: {
      "cli/commands/deploy": 23,
      "cli/terminal/terminal": 19,
      "core/steps/create": 10,
      "provider/lifecycle/deployment": 11,
    },
  },
  {
    why: "a browser, npm or the compiler of TypeScript does the work",
    files: {
      "cli/render/html": 10,
      "docs/types": 6,
      package: 14,
      "provider/editor": 11,
      "reconciler/browser": 10,
    },
  },
  {
    why: "every operation of the API, or every command",
    files: {
      "cli/canary": 7,
      "cli/commands/emulator": 4,
      "core/manifest/editor-schema": 4,
      "emulator/conformance": 8,
    },
  },
  {
    why: "each command of the documentation is typed into a shell",
    files: {
      "docs/pages": 41,
    },
    isInEachSlice: true,
  },
];

const filesOf = (groups: readonly SlowGroup[]): SlowFile[] =>
  groups.flatMap(({ files }) => Object.entries(files).map(([name, seconds]) => ({ name, seconds })));

export const slowFiles: readonly SlowFile[] = filesOf(slowGroups);

/** The files of which a run has a slice. */
export const slicedFiles: readonly SlowFile[] = filesOf(
  slowGroups.filter(({ isInEachSlice }) => !isInEachSlice),
);

/** The seconds of a slice: with what every run has, `npm test` then takes less than six minutes on two cores. */
export const sliceLimit = 350;
