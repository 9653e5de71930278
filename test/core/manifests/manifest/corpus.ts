/** Manifests that together contain every type of value, in every notation. */
export const corpus: readonly string[] = [
  `kind: Project
name: shop
description: |
  The shop.

  All of it.
---
kind: Environment
project: shop
name: staging
mode: STAGING
cluster: eu-west
manage: { protect: true, prune: true, renamed_from: "stage", id: 6d2a1f0c-3b51-4c2e-9a75-0d6f3f5f1a2b }
---
{ kind: Environment, project: shop, name: preview, clone: { from: shop/staging }, mode: DEVELOPMENT }
`,
  `# A cron job
kind: Job
environment: shop/staging
name: "nightly report"
cpu: 500
memory: 512
auto_deploy: false
source:
  image: &image { registry: docker-hub, image_name: acme/report, tag: 1.4.2 }
schedule:
  cronjob: { scheduled_at: "0 3 * * *", timezone: Europe/Paris, arguments: [--all, '', "a\\tb"] }
labels_groups: [team-labels]
icon_uri: app://report
manage:
  ignore: [auto_deploy, schedule.cronjob.timezone]
`,
  `kind: Job
environment: shop/staging
name: migrate
clone: { from: shop/production/migrate }
source:
  docker:
    git_repository: { url: "https://github.com/acme/shop", branch: main, root_path: /, git_token: ~ }
    dockerfile_raw: >-
      FROM alpine
      RUN true
schedule:
  on_start: &run
    arguments: [up]
    entrypoint: /bin/sh
  on_stop: *run
  on_delete: *run
  lifecycle_type: GENERIC
healthchecks:
  readiness_probe:
    type: { exec: { command: [cat, /tmp/ready] } }
    period_seconds: 5
`,
  `kind: Application
environment: shop/staging
name: web
git_repository:
  url: https://github.com/acme/shop
ports:
- internal_port: 8080
  publicly_accessible: true
- { internal_port: 9090, protocol: TCP, publicly_accessible: false, name: null }
storage:
  - mount_point: /data
    size: 10
    type: FAST_SSD
min_running_instances: 1
max_running_instances: -1
autoscaling:
  mode: KEDA
  scalers:
    - scaler_type: cpu
      role: PRIMARY
      config_json: { threshold: 0.75, nested: [1, [2, { a: null }]] }
      trigger_authentication: { name: auth }
`,
];

/** Texts that break parsers, validators and the code that prints their messages. */
export const troublemakers: readonly string[] = [
  "---\n",
  "...\n",
  "%YAML 1.1\n",
  "%TAG ! x\n",
  ": ",
  "- ",
  "? ",
  "[",
  "]",
  "{",
  "}",
  ",",
  "|",
  ">",
  "|2-\n",
  "&a ",
  "*a",
  "*run",
  "!!str ",
  "!!map ",
  "!x ",
  "<<: *run",
  "<<",
  "'",
  '"',
  "\\",
  "`",
  "@",
  "#",
  " #",
  "\n",
  "\r\n",
  "\r",
  "\t",
  "  ",
  "\u00A0",
  "\uFEFF",
  "\0",
  "\u0007",
  "\u001B[31m",
  "\u0085",
  "\u2028",
  "\u202E",
  "💥",
  "\uD83D",
  "é",
  "~",
  "null",
  "true",
  "yes",
  "0x1F",
  "0o17",
  "1_000",
  "1e999",
  "-.inf",
  ".nan",
  "99999999999999999999",
  "-1",
  "0.1",
  "12:30",
  "2020-01-01",
  "__proto__",
  "constructor",
  "toString",
  "__proto__: { polluted: true }\n",
  "kind: Job\n",
  "kind: job\n",
  "name: x\n",
  "cpu: ",
  "null: ",
  "ports:\n",
  "schedule: { cronjob: {}, on_start: {} }\n",
  "environment: a/b/c\n",
  "%2F",
  "../../..",
  "* * * * * *",
  "Europe/Paris",
  "config_json: ",
  "x".repeat(1100),
  "a: ".repeat(3),
];
