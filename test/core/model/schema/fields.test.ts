import { expect, test } from "vitest";
import { parseManifest } from "../../../../core/manifests/manifest/index.ts";
import { application, job, report } from "../../../fixtures/manifest-problems.ts";

test("an unknown field is a problem", () => {
  expect(report(job("memroy: 512"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "memroy"
        did you mean memory?"
  `);
  expect(report(job("maxNbRestart: 1"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "maxNbRestart"
        did you mean max_nb_restart?"
  `);
  expect(report(job("cup: 500"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "cup"
        did you mean cpu?"
  `);
  expect(report(job("tag: 1.4.2"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "tag"
        it belongs at source.image.tag"
  `);
  expect(report(job("entrypoint: x"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "entrypoint"
        it belongs at one of schedule.cronjob.entrypoint, schedule.on_start.entrypoint, schedule.on_stop.entrypoint, schedule.on_delete.entrypoint"
  `);
  expect(report(job("storage: []"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "storage"
        leave it out: storage is a field of the kinds Application, Container, Database"
  `);
  expect(report(job("ports: []"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "ports"
        did you mean port? (ports is a field of the kinds Application, Container, Helm)"
  `);
  expect(report(job("maximum_cpu: 1"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "maximum_cpu"
        leave it out: the API reports maximum_cpu, and it cannot be set"
  `);
  expect(report(job("source: { image: { registry_id: x, digest: y } }"))).toMatchInlineSnapshot(`
    "4:20 source.image has no member "registry_id"
        did you mean registry?
    4:36 source.image has no member "digest"
        it may have: image_name, tag, registry"
  `);
  expect(report("kind: Project\nname: x\nowner: me")).toMatchInlineSnapshot(`
    "3:1 a Project has no field "owner"
        it may have: kind, name, manage, $remove, description, secrets, variables"
  `);
});

test("keys with a meaning in JavaScript are unknown fields like any other, and harmless", () => {
  expect(report(job("__proto__: { cpu: 1 }\nconstructor: x\nhasOwnProperty: y"))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "__proto__"
        it may have: port, clone, kind, name, $remove, cpu, memory, gpu, and 21 others
    5:1 a Job has no field "constructor"
        it may have: description, source, icon_uri, port, clone, cpu, max_nb_restart, secrets, and 21 others
    6:1 a Job has no field "hasOwnProperty"
        it may have: source, auto_deploy, max_nb_restart, port, is_skipped, secrets, environment, manage, and 21 others"
  `);
  expect(report(job("source: { __proto__: { image: {} } }"))).toMatchInlineSnapshot(`
    "4:11 source has no member "__proto__"
        it may have: image, docker"
  `);
  const { documents, problems } = parseManifest(
    application(
      "autoscaling: { scalers: [{ scaler_type: cpu, role: PRIMARY, config_json: { __proto__: { polluted: 1 } } }] }",
    ),
    "x",
  );
  expect(problems).toEqual([]);
  expect(JSON.stringify(documents[0]?.fields)).toContain('"config_json":{"__proto__":{"polluted":1}}');
  expect("polluted" in {}).toBe(false);
});

test("a key in the wrong form is printed on one line", () => {
  expect(report(job('"a\\e[31mb\\nc": 1'))).toMatchInlineSnapshot(`
    "4:1 a Job has no field "a\\u001b[31mb\\nc"
        it may have: name, kind, manage, clone, $remove, source, cpu, memory, and 21 others"
  `);
});

test("a value of the wrong type is a problem", () => {
  expect(report(job('cpu: "500"'))).toMatchInlineSnapshot(`
    "4:6 cpu must be a whole number, not the text "500"
        write cpu: 500, without quotes"
  `);
  expect(report(job("cpu: 0.5"))).toMatchInlineSnapshot(`
    "4:6 cpu must be a whole number, not the number 0.5
        write cpu: 500"
  `);
  expect(report(job("memory: 512Mi"))).toMatchInlineSnapshot(`
    "4:9 memory must be a whole number, not the text "512Mi"
        write memory: 512"
  `);
  expect(report(job("memory: 1_000"))).toMatchInlineSnapshot(`
    "4:9 memory must be a whole number, not the text "1_000"
        write a whole number, such as 512 (Memory in MB)"
  `);
  expect(report(job("auto_deploy: yes"))).toMatchInlineSnapshot(`
    "4:14 auto_deploy must be true or false, not the text "yes"
        write auto_deploy: true"
  `);
  expect(report(job("auto_deploy: 'false'"))).toMatchInlineSnapshot(`
    "4:14 auto_deploy must be true or false, not the text "false"
        write auto_deploy: false"
  `);
  expect(report(job("auto_deploy: 1"))).toMatchInlineSnapshot(`
    "4:14 auto_deploy must be true or false, not the number 1
        write true or false"
  `);
  expect(report(job("source: { image: { tag: 1.10 } }"))).toMatchInlineSnapshot(`
    "4:25 source.image.tag must be a text, not the number 1.1
        write source: { image: { tag: "1.10" } }"
  `);
  expect(report(job("description: [a]"))).toMatchInlineSnapshot(`
    "4:1 description must be a text, not a list
        write description: a"
  `);
  expect(report(job("labels_groups: team"))).toMatchInlineSnapshot(`
    "4:16 labels_groups must be a list, not the text "team"
        write labels_groups: ["team"]"
  `);
  expect(report(job("labels_groups:\n  team: x"))).toMatchInlineSnapshot(`
    "4:1 labels_groups must be a list, not a mapping
        write a list: begin each element with "- " on a line of its own"
  `);
  expect(report(job("labels_groups: [1, , null]"))).toMatchInlineSnapshot(`
    "4:20 invalid YAML: unexpected , in flow sequence
        check the quotes, brackets and indentation here and in the line above"
  `);
  expect(report(job("labels_groups: [a, ~, 1]"))).toMatchInlineSnapshot(`
    "4:20 labels_groups[1] has no value
        remove the element, or write "" for an empty text
    4:23 labels_groups[2] must be a text, not the number 1
        write labels_groups: [a, ~, "1"]"
  `);
  expect(report(job("source: image"))).toMatchInlineSnapshot(`
    "4:9 source must be a mapping, not the text "image"
        write its members: image, docker"
  `);
  expect(report(application("ports: [8080]"))).toMatchInlineSnapshot(`
    "4:9 ports[0] must be a mapping, not the number 8080
        write ports: [{ internal_port: 8080, publicly_accessible: false }]"
  `);
});

test("a value out of range is a problem", () => {
  expect(report(job("gpu: -1"))).toMatchInlineSnapshot(`
    "4:6 gpu must be 0 or more, not -1
        write a number in that range (Number of GPUs)"
  `);
  expect(report(job("port: 0"))).toMatchInlineSnapshot(`
    "4:7 port must be from 1 to 65535, not 0
        write a number in that range (Port for probes; it is never published)"
  `);
  expect(report(job("port: 70000"))).toMatchInlineSnapshot(`
    "4:7 port must be from 1 to 65535, not 70000
        write a number in that range (Port for probes; it is never published)"
  `);
  expect(report(job("source: { image: { tag: '' } }"))).toMatchInlineSnapshot(`
    "4:25 source.image.tag is empty
        write a text, or leave the field out"
  `);
  expect(report(job("healthchecks: { liveness_probe: { type: { exec: { command: [] } } } }")))
    .toMatchInlineSnapshot(`
      "4:51 healthchecks.liveness_probe.type.exec.command must have at least 1 element, not 0
          write at least 1 element, or leave the field out"
    `);
});

test("an empty text is a problem when a text is required", () => {
  expect(report(job("labels_groups: ['']"))).toMatchInlineSnapshot(`
    "4:17 labels_groups[0] is empty
        write a text, or remove the element"
  `);
  expect(report(job("source: { docker: { dockerfile_path: '' } }"))).toMatchInlineSnapshot(`
    "4:38 source.docker.dockerfile_path is empty
        write a text, or leave the field out"
  `);
  expect(report(job("description: ''"))).toBe("");
});

test("a value outside the allowed values is a problem", () => {
  expect(report("kind: Environment\nproject: shop\nname: x\nmode: staging")).toMatchInlineSnapshot(`
    "4:7 mode must be one of DEVELOPMENT, STAGING, PRODUCTION, PREVIEW, not "staging"
        write mode: STAGING"
  `);
  expect(report("kind: Environment\nproject: shop\nname: x\nmode: QA")).toMatchInlineSnapshot(`
    "4:7 mode must be one of DEVELOPMENT, STAGING, PRODUCTION, PREVIEW, not "QA"
        write one of DEVELOPMENT, STAGING, PRODUCTION, PREVIEW"
  `);
  expect(report(application("storage: [{ mount_point: /data, size: 1, type: SLOW }]")))
    .toMatchInlineSnapshot(`
      "4:48 storage[0].type must be FAST_SSD, not "SLOW"
          write FAST_SSD"
    `);
  expect(report("kind: Environment\nproject: shop\nname: x\nmode: 1")).toMatchInlineSnapshot(`
    "4:7 mode must be one of DEVELOPMENT, STAGING, PRODUCTION, PREVIEW, not the number 1
        write one of DEVELOPMENT, STAGING, PRODUCTION, PREVIEW"
  `);
});

test("a schedule is checked", () => {
  const scheduled = (expression: string) =>
    report(job(`schedule: { cronjob: { scheduled_at: ${JSON.stringify(expression)} } }`));
  expect(scheduled("0 0 3 * * *")).toMatchInlineSnapshot(`
    "4:38 schedule.cronjob.scheduled_at: "0 0 3 * * *" has 6 fields instead of 5: there is no field for seconds
        leave the seconds out: "0 3 * * *""
  `);
  expect(scheduled("0 3 * *")).toMatchInlineSnapshot(`
    "4:38 schedule.cronjob.scheduled_at: "0 3 * *" has 4 fields instead of 5
        write five fields: minute, hour, day of the month, month, day of the week"
  `);
  expect(scheduled("@daily")).toMatchInlineSnapshot(`
    "4:38 schedule.cronjob.scheduled_at: "@daily" is a short name that the API does not know
        write it out: "0 0 * * *""
  `);
  expect(scheduled("daily")).toMatchInlineSnapshot(`
    "4:38 schedule.cronjob.scheduled_at: "daily" has one field instead of 5
        write five fields: minute, hour, day of the month, month, day of the week"
  `);
  expect(scheduled("")).toMatchInlineSnapshot(`
    "4:38 schedule.cronjob.scheduled_at: "" is empty
        write five fields: minute, hour, day of the month, month, day of the week"
  `);
  expect(scheduled("61 3 * * *")).toMatchInlineSnapshot(`
    "4:38 schedule.cronjob.scheduled_at: "61 3 * * *" is not a cron expression (invalid value for minute: 61)
        write five fields: minute, hour, day of the month, month, day of the week"
  `);
  expect(scheduled("a b c d e")).toMatchInlineSnapshot(`
    "4:38 schedule.cronjob.scheduled_at: "a b c d e" is not a cron expression (configuration entry 1 (a) contains illegal characters)
        write five fields: minute, hour, day of the month, month, day of the week"
  `);
  expect(scheduled("0  3 * * *\n")).toMatchInlineSnapshot(`
    "4:38 schedule.cronjob.scheduled_at: "0  3 * * *\\n" has extra spaces
        write "0 3 * * *""
  `);
  for (const good of ["0 3 * * *", "*/5 8-18 * * MON-FRI", "0 0 1,15 * *", "* * * * *"])
    expect(scheduled(good)).toBe("");
});

test("a time zone is checked", () => {
  const zoned = (zone: string) => report(job(`schedule: { cronjob: { timezone: ${JSON.stringify(zone)} } }`));
  expect(zoned("Europe/Pari")).toMatchInlineSnapshot(`
    "4:34 schedule.cronjob.timezone: "Europe/Pari" is not a time zone
        did you mean Europe/Paris?"
  `);
  expect(zoned("europe/paris")).toMatchInlineSnapshot(`
    "4:34 schedule.cronjob.timezone: "europe/paris" is a time zone, but in the wrong case
        write Europe/Paris"
  `);
  expect(zoned("New York")).toMatchInlineSnapshot(`
    "4:34 schedule.cronjob.timezone: "New York" is not a time zone
        did you mean America/New_York?"
  `);
  expect(zoned("+01:00")).toMatchInlineSnapshot(`
    "4:34 schedule.cronjob.timezone: "+01:00" is not a time zone
        write a name of the time zone database, such as Europe/Paris or UTC"
  `);
  expect(zoned("Mars/Olympus")).toMatchInlineSnapshot(`
    "4:34 schedule.cronjob.timezone: "Mars/Olympus" is not a time zone
        write a name of the time zone database, such as Europe/Paris or UTC"
  `);
  expect(zoned("utc")).toMatchInlineSnapshot(`
    "4:34 schedule.cronjob.timezone: "utc" is a time zone, but in the wrong case
        write UTC"
  `);
  for (const good of ["UTC", "Europe/Paris", "US/Eastern", "Etc/GMT+5", "Asia/Calcutta", "Asia/Kolkata"])
    expect(zoned(good)).toBe("");
});

test("a URI is checked", () => {
  expect(report(job("icon_uri: icon.svg"))).toMatchInlineSnapshot(`
    "4:11 icon_uri: "icon.svg" is not a URI
        write a complete URI, such as https://example.com/icon.svg"
  `);
  expect(report(job("icon_uri: app://icon"))).toBe("");
});

test("members that exclude each other are a problem", () => {
  expect(report(job("schedule:\n  cronjob: {}\n  on_start: {}\n  on_stop: {}"))).toMatchInlineSnapshot(`
    "6:3 schedule.cronjob and schedule.on_start exclude each other
        keep one of them (When it runs: cronjob, or any of on_start, on_stop, on_delete)"
  `);
  expect(report(job("source:\n  docker: {}\n  image: {}"))).toMatchInlineSnapshot(`
    "5:3 source.docker is empty
        declare git_repository or dockerfile_raw, or leave source.docker out
    6:3 source.docker and source.image exclude each other
        keep one of them (Source of the job: image or docker)"
  `);
  expect(report(job("healthchecks: { readiness_probe: { type: { tcp: { port: 1 }, http: { port: 1 } } } }")))
    .toMatchInlineSnapshot(`
    "4:62 healthchecks.readiness_probe.type.tcp and healthchecks.readiness_probe.type.http exclude each other
        keep one of them (How to probe: one of tcp, http, exec, grpc)"
  `);
  expect(report(job("schedule: { cronjob: {}, on_start: null }"))).toBe("");
  expect(report(job("schedule: { on_start: {}, on_stop: {}, lifecycle_type: GENERIC }"))).toBe("");
});

test("a duplicate element of a set is a problem", () => {
  expect(report(job("labels_groups: [a, b, a, a]"))).toMatchInlineSnapshot(`
    "4:23 labels_groups[2] is the same as labels_groups[0]: a
        write each element once
    4:26 labels_groups[3] is the same as labels_groups[0]: a
        write each element once"
  `);
  expect(
    report(
      application(
        "ports:\n- internal_port: 80\n- { internal_port: 80, protocol: TCP }\n- { protocol: HTTP, internal_port: 80 }",
      ),
    ),
  ).toMatchInlineSnapshot(`
    "7:3 ports[2] has the same internal_port and protocol as ports[0]: 80/HTTP
        write each element once"
  `);
  expect(report(application("storage: [{ mount_point: /data }, { mount_point: /data, size: 1 }]")))
    .toMatchInlineSnapshot(`
      "4:35 storage[1] has the same mount_point as storage[0]: /data
          write each element once"
    `);
  expect(report(job("schedule: { cronjob: { arguments: [-v, -v] } }"))).toBe("");
});

test("an element of a set without its key is a problem", () => {
  expect(report(application("ports: [{ protocol: TCP }, { protocol: TCP }]"))).toMatchInlineSnapshot(`
    "4:9 ports[0].internal_port is missing
        add internal_port (Port that the container listens on)
    4:28 ports[1].internal_port is missing
        add internal_port (Port that the container listens on)"
  `);
  expect(report(application("storage: [{ mount_piont: /data }]"))).toMatchInlineSnapshot(`
    "4:13 storage[0] has no member "mount_piont"
        did you mean mount_point?"
  `);
});

test("null resets a field", () => {
  const { documents, problems } = parseManifest(
    application(
      "cpu: null\nhealthchecks: ~\nports: [{ internal_port: 80, name: null }]\ngit_repository: { git_token: null }",
    ),
    "x",
  );
  expect(problems).toEqual([]);
  expect(documents[0]?.fields).toEqual({
    cpu: null,
    healthchecks: null,
    ports: [{ internal_port: 80, name: null }],
    git_repository: { git_token: null },
  });
});

test("null is a problem when the field has no known default", () => {
  expect(report(job("auto_deploy: null"))).toMatchInlineSnapshot(`
    "4:1 auto_deploy cannot be reset: the API documents no default for it
        declare a value, or leave the field out"
  `);
  expect(report(job("source: { image: { tag: null } }"))).toMatchInlineSnapshot(`
    "4:20 source.image.tag cannot be reset: the API documents no default for it
        declare a value, or leave the field out"
  `);
  expect(report(job("source: null"))).toMatchInlineSnapshot(`
    "4:1 source cannot be reset: the API documents no default for it
        declare a value, or leave the field out"
  `);
  expect(report(application("ports: [{ internal_port: ~, is_default: ~ }]"))).toMatchInlineSnapshot(`
    "4:11 ports[0].internal_port has no value
        write a whole number (Port that the container listens on)
    4:29 ports[0].is_default cannot be reset: the API documents no default for it
        declare a value, or leave the field out"
  `);
  expect(report(application("ports: [~]"))).toMatchInlineSnapshot(`
    "4:9 ports[0] has no value
        write its members: internal_port, external_port, protocol, publicly_accessible, name, is_default, public_path, public_path_rewrite"
  `);
});

test("all mistakes of all documents are reported together, in their order", () => {
  expect(report(`${job("port: 0\ncpu: x\nmemroy: 1")}\n---\nkind: job\n---\n${job("gpu: -1")}`))
    .toMatchInlineSnapshot(`
      "4:7 port must be from 1 to 65535, not 0
          write a number in that range (Port for probes; it is never published)
      5:6 cpu must be a whole number, not the text "x"
          write a whole number, such as 500 (CPU in millicores: 1000 is one CPU)
      6:1 a Job has no field "memroy"
          did you mean memory?
      8:1 environment is missing
          add environment: PROJECT/ENVIRONMENT
      8:1 name is missing
          add name (Name; names that differ only by case are the same)
      8:7 unknown kind "job"
          did you mean Job?
      13:6 gpu must be 0 or more, not -1
          write a number in that range (Number of GPUs)"
    `);
});

test("messages escape control characters and characters that reorder text", () => {
  expect(report(application('storage: [{ mount_point: "/\\u202Ea" }, { mount_point: "/\\u202Ea" }]')))
    .toMatchInlineSnapshot(`
      "4:40 storage[1] has the same mount_point as storage[0]: /\\u202ea
          write each element once"
    `);
  expect(report(job("description: *\u202Ea"))).toMatchInlineSnapshot(`
    "4:14 there is no anchor &\\u202ea above the alias *\\u202ea
        write &\\u202ea before the value that is meant, in the same document, or put quotes around a text that begins with *"
  `);
});
