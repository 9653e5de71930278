import type { Fields } from "../json.ts";

/** A policy that settings can name instead of writing it. */
export interface ReadyPolicy {
  /** Its purpose, in one sentence. */
  about: string;
  /** Its definition, in the form of the settings file. */
  states: Fields;
  /** The values of `with`, where settings state no others. */
  with?: Fields;
}

const services = ["Application", "Container", "Database", "Job"];

/** The policies that settings can name. */
export const readyPolicies: Readonly<Record<string, ReadyPolicy>> = {
  "no-public-database": {
    about: "No database can be reached from the internet.",
    states: {
      kinds: ["Database"],
      when: 'after.accessibility == "PUBLIC"',
      message: "a database cannot be reached from the internet; state accessibility: PRIVATE",
    },
  },
  "pinned-image-tag": {
    about: "Images have a tag, and not one that moves, such as latest.",
    states: {
      kinds: ["Container", "Job"],
      when: '(kind == "Container" || has(after.source.image)) && (kind == "Container" ? after.tag : after.source.image.tag) in with.tags',
      message: "the tag of the image moves; state the tag of a version",
    },
    with: { tags: ["latest", "main", "master", "edge", "nightly"] },
  },
  "pinned-chart-version": {
    about: "Helm charts of a repository have a whole version.",
    states: {
      kinds: ["Helm"],
      when: String.raw`has(after.source.helm_repository) && !after.source.helm_repository.chart_version.matches("^v?[0-9]+[.][0-9]+[.][0-9]+")`,
      message: "the version of the chart is not a whole one; state one such as 1.2.3",
    },
  },
  "trusted-registries": {
    about: "Images come from registries of a list.",
    states: {
      kinds: ["Container", "Job"],
      when: '(kind == "Container" || has(after.source.image)) && !((kind == "Container" ? after.registry : after.source.image.registry) in with.registries)',
      message: "the image is from a registry that is not on the list",
    },
    with: { registries: [] },
  },
  "memory-bounds": {
    about: "Services have neither too little nor too much memory, in MB.",
    states: {
      kinds: services,
      when: "has(after.memory) && (after.memory < with.min || after.memory > with.max)",
      message: "the memory is outside of the bounds",
    },
    with: { min: 64, max: 8192 },
  },
  "cpu-bounds": {
    about: "Services have neither too little nor too much CPU, in thousandths of a core.",
    states: {
      kinds: services,
      when: "has(after.cpu) && (after.cpu < with.min || after.cpu > with.max)",
      message: "the CPU is outside of the bounds",
    },
    with: { min: 50, max: 4000 },
  },
  "instance-bounds": {
    about: "Applications and containers run in so many instances, and in no more.",
    states: {
      kinds: ["Application", "Container"],
      when: "after.min_running_instances < with.min || after.max_running_instances > with.max",
      message: "the number of instances is outside of the bounds",
    },
    with: { min: 2, max: 10 },
  },
  "required-labels-groups": {
    about: "Every service has labels groups, which are what the API has for labels.",
    states: {
      kinds: services,
      when: "with.groups.exists(group, !(group in after.labels_groups))",
      message: "a labels group is missing",
    },
    with: { groups: [] },
  },
  "health-checks": {
    about: "Applications and containers with ports have a readiness probe.",
    states: {
      kinds: ["Application", "Container"],
      when: "size(after.ports) > 0 && !has(after.healthchecks.readiness_probe)",
      message: "it has ports and no readiness probe, so it gets requests before it can answer",
    },
  },
  "no-public-ports": {
    about: "No port can be reached from the internet; meant for internal environments.",
    states: {
      kinds: ["Application", "Container"],
      when: "after.ports.exists(port, port.?publicly_accessible.orValue(false))",
      message: "a port can be reached from the internet; state publicly_accessible: false",
    },
  },
  "passwords-are-secrets": {
    about: "A variable whose name says that it is a password, a token or a key is a secret.",
    states: {
      when: 'has(after.variables) && after.variables.exists(name, name.matches(with.names) && "value" in after.variables[name])',
      message: "a variable has the name of a secret; state it in secrets",
    },
    with: { names: "(PASSWORD|PASSWD|SECRET|TOKEN|PRIVATE_KEY|API_KEY)$" },
  },
  "approve-deletions": {
    about: "Somebody approves the plan before anything is deleted.",
    states: {
      actions: ["delete"],
      effect: "approve",
      message: "deletions in these environments need an approval",
    },
  },
};
