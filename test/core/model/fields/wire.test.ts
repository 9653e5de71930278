import { describe, expect, test } from "vitest";
import { fromResponse, toRequest } from "../../../../core/model/fields/wire.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { application } from "../../../../core/model/kinds/application.ts";
import { environment } from "../../../../core/model/kinds/environment.ts";
import { helm } from "../../../../core/model/kinds/helm.ts";
import { fieldsIn, kindOf } from "../../../../core/model/kinds/index.ts";
import { job } from "../../../../core/model/kinds/job.ts";
import { defineKind } from "../../../../core/model/kinds/kind.ts";
import { terraform } from "../../../../core/model/kinds/terraform.ts";
import { requestBody } from "../../../../core/operations/body.ts";

const cases: { name: string; kind: typeof job; response: Fields; fields: Fields; request: Fields }[] = [
  {
    name: "registry: an object in a response, an id in a request",
    kind: job,
    response: {
      id: "j",
      source: {
        image: {
          image_name: "a",
          tag: "1",
          registry_id: "r",
          registry: { id: "r", name: "hub", url: "u", kind: "DOCKER_HUB" },
        },
      },
    },
    fields: { source: { image: { image_name: "a", tag: "1", registry: { id: "r", name: "hub" } } } },
    request: { source: { image: { image_name: "a", tag: "1", registry_id: "r" } } },
  },
  {
    name: "git repository: owner, name and deployed commits are left out",
    kind: application,
    response: {
      git_repository: {
        provider: "GITHUB",
        owner: "acme",
        name: "api",
        url: "https://github.com/acme/api",
        branch: "main",
        root_path: "/",
        deployed_commit_id: "abc",
        git_token_id: "t",
        git_token_name: "token",
        has_access: true,
      },
    },
    fields: {
      git_repository: {
        provider: "GITHUB",
        url: "https://github.com/acme/api",
        branch: "main",
        root_path: "/",
        git_token: { id: "t", name: "token" },
      },
    },
    request: {
      git_repository: {
        provider: "GITHUB",
        url: "https://github.com/acme/api",
        branch: "main",
        root_path: "/",
        git_token_id: "t",
      },
    },
  },
  {
    name: "groups: whole objects in a response, ids in a request",
    kind: job,
    response: { labels_groups: [{ id: "l", name: "team", labels: [], created_at: "x" }] },
    fields: { labels_groups: [{ id: "l", name: "team" }] },
    request: { labels_groups: [{ id: "l" }] },
  },
  {
    name: "ids of ports and storages are kept",
    kind: application,
    response: {
      ports: [{ id: "p", internal_port: 80, publicly_accessible: true, protocol: "HTTP" }],
      storage: [{ id: "s", type: "FAST_SSD", size: 4, mount_point: "/data" }],
    },
    fields: {
      ports: [{ id: "p", internal_port: 80, publicly_accessible: true, protocol: "HTTP" }],
      storage: [{ id: "s", type: "FAST_SSD", size: 4, mount_point: "/data" }],
    },
    request: {
      ports: [{ id: "p", internal_port: 80, publicly_accessible: true, protocol: "HTTP" }],
      storage: [{ id: "s", type: "FAST_SSD", size: 4, mount_point: "/data" }],
    },
  },
  {
    name: "null and members that no request has are left out",
    kind: application,
    response: {
      dockerfile_path: null,
      entrypoint: "",
      maximum_cpu: 8000,
      autoscaling: {
        id: "a",
        service_id: "s",
        mode: "KEDA",
        polling_interval_seconds: 30,
        cooldown_period_seconds: 300,
        scalers: [{ id: "x", scaler_type: "cpu", role: "PRIMARY", enabled: true, config_json: { a: null } }],
      },
    },
    fields: {
      entrypoint: "",
      autoscaling: {
        mode: "KEDA",
        polling_interval_seconds: 30,
        cooldown_period_seconds: 300,
        scalers: [{ scaler_type: "cpu", role: "PRIMARY", enabled: true, config_json: { a: null } }],
      },
    },
    request: {
      entrypoint: "",
      autoscaling: {
        mode: "KEDA",
        polling_interval_seconds: 30,
        cooldown_period_seconds: 300,
        scalers: [{ scaler_type: "cpu", role: "PRIMARY", enabled: true, config_json: { a: null } }],
      },
    },
  },
  {
    name: "cluster: two members in a response",
    kind: environment,
    response: { mode: "STAGING", cluster_id: "c", cluster_name: "eu-west" },
    fields: { mode: "STAGING", cluster: { id: "c", name: "eu-west" } },
    request: { mode: "STAGING", cluster_id: "c" },
  },
];

describe("wire form", () => {
  test.each(cases)("$name", ({ kind, response, fields, request }) => {
    const read = fromResponse(kind.fields, response);
    expect(read).toEqual(fields);
    const always = kind.fields.properties?.["healthchecks"] ? { healthchecks: {} } : {};
    expect(toRequest(kind.fields, read)).toEqual({ ...always, ...request });
  });

  test("an environment is created with its cluster, whose other name is known, and edited without", () => {
    const fields = { name: "staging", mode: "STAGING", cluster_id: "c" };
    expect(environment.form?.finishBody?.(fields, "create", "p")).toEqual(fields);
    expect(environment.form?.twin).toEqual(["cluster_id", "cluster"]);
    expect(environment.form?.finishBody?.(fields, "update", "p")).toEqual({
      name: "staging",
      mode: "STAGING",
    });
    expect(environment.form?.finishBody?.({ name: "a", mode: "PREVIEW" }, "update", "p")).toEqual({
      name: "a",
    });
  });

  test("nested members that the API always requires are filled in", () => {
    expect(toRequest(terraform.fields, { auto_deploy_config: { auto_deploy: true } })).toEqual({
      description: "",
      terraform_variables_source: { tf_var_file_paths: [], tf_vars: [] },
      auto_deploy_config: { auto_deploy: true, terraform_action: "DEFAULT" },
    });
  });

  test("the sources of a Helm service have other names in a response", () => {
    const repository = { id: "r", name: "bitnami", url: "https://charts.example.com" };
    const chart = { chart_name: "redis", chart_version: "1.0.0" };
    const read = fieldsIn(helm, { source: { repository: { repository, ...chart } } });
    expect(read).toEqual({
      source: { helm_repository: { repository: { id: "r", name: "bitnami" }, ...chart } },
    });
    expect(helm.form?.finishBody?.(toRequest(helm.fields, read), "update", "p")).toMatchObject({
      source: { git_repository: null, helm_repository: { repository: "r", ...chart } },
    });
  });

  test("a service is always sent with health checks", () => {
    expect(toRequest(job.fields, {})).toEqual({ healthchecks: {} });
    expect(toRequest(application.fields, { healthchecks: { liveness_probe: {} } })).toEqual({
      healthchecks: { liveness_probe: {} },
    });
  });
});

test("a kind can say in the body of a creation where the resource is", () => {
  const kind = defineKind({
    ...kindOf("Job"),
    form: {
      finishBody: (fields, how, parentId) =>
        how === "create" ? { ...fields, environment_id: parentId } : fields,
    },
  });
  expect(requestBody(kind, "a", {}, "create", "e1")).toMatchObject({ environment_id: "e1" });
  expect(requestBody(kind, "a", {}, "update", "e1")).not.toHaveProperty("environment_id");
});
