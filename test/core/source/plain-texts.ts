/** Manifests that need no YAML parser, with all that such texts can have. */
export const plainTexts: readonly string[] = [
  `# The shop
kind: Project
name: shop
description: >= 1 # a comment
`.replace(">= 1", "a:b#c"),
  `---
kind: Job
environment: shop/staging
name: nightly
cpu: 250
memory: -1
ratio: 0.50
auto_deploy: false
nothing: null
empty:
source:
  image:
    registry: docker-hub   # public
    image_name: "acme/report"
    tag: 1.4.2
schedule:
  cronjob:
    scheduled_at: 0 3 * * *
    timezone: 'Europe/Paris'

    arguments:
      - --all
      - "a \\"quoted\\" text\\n"
      - 'it''s'
      - -
labels_groups:
- team-labels
-   other
`.replace("      - -\n", ""),
  `kind: Application
environment: shop/staging
name: web
ports:
  - internal_port: 8080
    name: http
    publicly_accessible: true
  -   internal_port: 9090
      tags:
      - a
      - b
  -
    internal_port: 1
matrix:
  - - 1
    - 2
  - - 3
variables:
  TAG: \${TAG}
  COUNT: \${N:-5}
  TEXT: "\${TAG} and $\${literal}"
  __proto__: text
  ÜBER: no
list: [a, "b, c", 'd', 1, true, --all, acme/web:1.2, [x, []], {}]
map: { a: 1, b: { c: d, e: [1, 2] }, f: "g" } # comment
`.replace("  ÜBER: no\n", ""),
  `kind: Helm
environment: shop/staging
name: chart
values_override:
  raw: |
    image:
      tag: 1.2 # no comment

    port: \${N}
  other: |-
    one
     two


  last: x
---
# only a comment
---
kind: Container
name: é ü 漢字 💥 # comment é
list:
  - |
    a
  - b
`,
  `  kind: Project
  name: indented
`,
];
