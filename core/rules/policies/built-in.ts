import type { Fields } from "../../values/json.ts";

const services = ["Application", "Container", "Database", "Job"];

/** Whether a URL is one of `with.git`, or below it. */
const isTrustedGit = (url: string) =>
  `[${url}.lowerAscii()].exists(url, !url.contains("..") && with.git.exists(place, [place.lowerAscii()].exists(from, url == from || url == from + ".git" || url.startsWith(from.endsWith("/") ? from : from + "/"))))`;

/** Whether a name matches `with.names`, as it is or in lower case, and does not match `with.except`. */
const isSecretName = (name: string) =>
  `(${name}.matches(with.names) || ${name}.lowerAscii().matches(with.names)) && !${name}.lowerAscii().matches(with.except)`;

const byKind = (conditions: Record<string, string>) =>
  Object.entries(conditions)
    .map(([kind, condition]) => `kind == "${kind}" && (${condition})`)
    .join(" || ");

/** A registry or repository of a list whose content changes under its name. */
const becomesAnother = (list: string) =>
  `name in with.${list} && changes.exists(change, change in ["name", "type", "url"]) && action != "create"`;

export const builtInPolicies: Readonly<
  Record<
    string,
    {
      about: string;
      /** Its definition, in the form of the settings file. */
      states: Fields;
      /** The default values of `with`. */
      with?: Fields;
    }
  >
> = {
  "no-public-database": {
    about: "No database can be reached from the internet.",
    states: {
      kinds: ["Database"],
      when: 'after.accessibility == "PUBLIC"',
      message: "a database cannot be reached from the internet; set accessibility: PRIVATE",
    },
  },
  "pinned-image-tag": {
    about: "Images have a tag, and the tag does not move: not latest, in any case, nor latest-alpine.",
    states: {
      kinds: ["Container", "Job"],
      when: '(kind == "Container" || has(after.source.image)) && [(kind == "Container" ? after : after.source.image).?tag.orValue("").trim().lowerAscii()].exists(tag, tag == "" || with.tags.exists(moving, tag == moving.lowerAscii() || tag.startsWith(moving.lowerAscii() + "-") && !tag.matches("[0-9]")))',
      message: "the tag of the image moves; declare the tag of a version",
    },
    with: { tags: ["latest", "main", "master", "edge", "nightly"] },
  },
  "pinned-chart-version": {
    about: "Helm charts of a repository have an exact version, and no range.",
    states: {
      kinds: ["Helm"],
      when: String.raw`has(after.source.helm_repository) && !after.source.helm_repository.?chart_version.orValue("").matches("^v?[0-9]+[.][0-9]+[.][0-9]+([-+][0-9A-Za-z.+-]+)?$")`,
      message: "the version of the chart is not exact; declare one such as 1.2.3",
    },
  },
  "trusted-registries": {
    about:
      "Images, git repositories and Helm repositories must be in the lists of the policy, and no manifest contains a Dockerfile.",
    states: {
      kinds: ["Application", "Container", "Helm", "Job", "Terraform", "ContainerRegistry", "HelmRepository"],
      when: byKind({
        Container: "!(after.registry in with.registries)",
        Job: `has(after.source.image) ? !(after.source.image.registry in with.registries) : has(after.source.docker.dockerfile_raw) || !${isTrustedGit("after.source.docker.git_repository.url")}`,
        Application: `!${isTrustedGit("after.git_repository.url")}`,
        Helm: `has(after.source.helm_repository) ? !(after.source.helm_repository.repository in with.helm_repositories) : !${isTrustedGit("after.source.git_repository.url")}`,
        Terraform: `after.?dockerfile_fragment.?content.hasValue() || !${isTrustedGit("after.terraform_files_source.git_repository.url")}`,
        ContainerRegistry: becomesAnother("registries"),
        HelmRepository: becomesAnother("helm_repositories"),
      }),
      message: "it is from a registry or repository that is not on the list",
    },
    with: { registries: [], git: [], helm_repositories: [] },
  },
  "memory-bounds": {
    about: "Services have neither too little nor too much memory, in MB.",
    states: {
      kinds: [...services, "Terraform"],
      when: '[kind == "Terraform" ? after.?job_resources.?ram_mib : after.?memory].exists(size, size.hasValue() && (size.value() < with.min || size.value() > with.max))',
      message: "the memory is not between {min} and {max} MB",
    },
    with: { min: 64, max: 8192 },
  },
  "cpu-bounds": {
    about: "Services have neither too little nor too much CPU, in thousandths of a core.",
    states: {
      kinds: [...services, "Terraform"],
      when: '[kind == "Terraform" ? after.?job_resources.?cpu_milli : after.?cpu].exists(size, size.hasValue() && (size.value() < with.min || size.value() > with.max))',
      message: "the CPU is not between {min} and {max} millicores",
    },
    with: { min: 50, max: 4000 },
  },
  "instance-bounds": {
    about: "Applications and containers run within limits for the number of instances.",
    states: {
      kinds: ["Application", "Container"],
      // -1 means no limit.
      when: "after.min_running_instances < with.min || after.max_running_instances > with.max || after.max_running_instances < 0",
      message: "the number of instances is not between {min} and {max}",
    },
    with: { min: 2, max: 10 },
  },
  "required-labels-groups": {
    about: "Every application, container, database and job has the labels groups of the policy.",
    states: {
      kinds: services,
      when: "with.groups.exists(group, !(group in after.labels_groups))",
      message: "it needs each of these labels groups: {groups}",
    },
    with: { groups: [] },
  },
  "health-checks": {
    about: "Applications and containers with ports have a readiness probe.",
    states: {
      kinds: ["Application", "Container"],
      when: 'size(after.ports) > 0 && [after.?healthchecks.?readiness_probe.?type.orValue({})].all(type, !["tcp", "http", "exec", "grpc"].exists(sort, sort in type))',
      message: "it has ports and no readiness probe, so it gets requests before it can answer",
    },
  },
  "no-public-ports": {
    about:
      "No port can be reached from the internet, also of Helm charts and databases; for internal environments.",
    states: {
      kinds: ["Application", "Container", "Database", "Helm"],
      when: byKind({
        Application: "after.ports.exists(port, port.?publicly_accessible.orValue(false))",
        Container: "after.ports.exists(port, port.?publicly_accessible.orValue(false))",
        Database: 'after.accessibility == "PUBLIC"',
        Helm: "size(after.?ports.orValue([])) > 0",
      }),
      message: "a port can be reached from the internet; keep it inside the cluster",
    },
  },
  "passwords-are-secrets": {
    about:
      "A variable with the name of a password, a token or a key is a secret, in any case and with any suffix; Terraform variables too.",
    states: {
      when: [
        `has(after.variables) && after.variables.exists(name, ${isSecretName("name")} && "value" in after.variables[name])`,
        `has(after.terraform_variables_source) && after.terraform_variables_source.?tf_vars.orValue([]).exists(each, ${isSecretName("each.key")} && has(each.value))`,
      ].join(" || "),
      message: "a variable has the name of a secret; declare it in secrets",
    },
    with: {
      names:
        "password|passwd|passphrase|secret|token|credential|(private|api|access|encryption|signing|ssh)[_.-]?key",
      except: "[_.-]?(url|uri|host|endpoint|file|path|dir|name|id|ttl|expiry|length|issuer|type)s?$",
    },
  },
  "approve-deletions": {
    about:
      "A person approves the plan before anything is deleted: a resource, or a part of one, such as a secret.",
    states: {
      actions: ["delete"],
      effect: "approve",
      message: "deletions in these environments need an approval",
    },
  },
};
