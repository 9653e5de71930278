import { path } from "../../api/index.ts";
import { choice, needed, object, oftenChanged, wholeNumber, withoutDefault, word } from "../schema/field.ts";
import { description } from "./fields.ts";
import { skipped, stageOf } from "./deployment-stage.ts";
import { defineKind } from "./kind.ts";
import { groupFields, iconField, resourceReports, service } from "./service.ts";

const types = ["MONGODB", "MYSQL", "POSTGRESQL", "REDIS"];

/** The default memory of a database. */
const memoryOf = { POSTGRESQL: 100, MYSQL: 512, MONGODB: 256, REDIS: 100 };

/**
 * ```yaml
 * kind: Database
 * environment: shop/staging
 * name: orders
 * type: POSTGRESQL
 * version: "16"
 * mode: CONTAINER
 * storage: 10
 * ```
 *
 * See also: [Connect a service to a database](../../guides/databases.md), [changes that lose data](../../guides/change-safely.md#changes-that-lose-data).
 */
export const database = defineKind({
  name: "Database",
  description: "A database runs in a container, or is managed by the cloud provider.",
  ...service("database", { idMember: undefined, restarts: true }),
  fields: object({
    description,
    type: needed(choice(types, "Database system.", { immutable: "the system of a database cannot change" })),
    version: needed(
      word('Version of the database system, such as `"16"`.', { loses: { when: "lower", what: "data" } }),
    ),
    mode: needed(
      choice(["CONTAINER", "MANAGED"], "Where it runs: in a container, or managed by the cloud provider.", {
        immutable: "a database cannot move between a container and the cloud provider",
      }),
    ),
    accessibility: oftenChanged(
      choice(["PRIVATE", "PUBLIC"], "Whether it can be reached from outside.", { default: "PRIVATE" }),
    ),
    cpu: oftenChanged(
      wholeNumber("CPU in millicores: 1000 is one CPU.", { minimum: 1, default: 250, unit: "millicores" }),
    ),
    memory: withoutDefault(
      wholeNumber("Memory in MB; the default depends on the database system.", {
        minimum: 1,
        unit: "MB",
        platformSets: Object.entries(memoryOf).map(([type, is]) => ({
          is,
          when: { member: "type", is: type },
        })),
      }),
    ),
    storage: oftenChanged(
      wholeNumber("Storage in GB.", {
        minimum: 1,
        default: 10,
        unit: "GB",
        loses: { when: "smaller", what: "data" },
      }),
    ),
    instance_type: withoutDefault(
      word("Instance type of the cloud provider, for a managed database.", {
        platformSets: [
          { what: "refuses a managed database without one", when: { member: "mode", is: "MANAGED" } },
          { is: "anything", when: { member: "mode", is: "CONTAINER" } },
        ],
      }),
    ),
    disk_type: choice(["gp2", "gp3"], "Type of disk of the cloud provider, for a managed database."),
    ...groupFields,
    ...iconField(`(?:database|${types.join("|").toLowerCase()})`),
  }),
  parts: [stageOf("DATABASE"), skipped],
  outputs: {
    host_internal: {
      variable: "HOST_INTERNAL",
      description: "Host at which services of the cluster reach it.",
    },
    host: { variable: "HOST", description: "Host at which it is reached from outside." },
    port: { variable: "PORT", description: "Port at which it is reached." },
    login: { variable: "LOGIN", description: "Name of its user." },
    password: { variable: "PASSWORD", description: "Password of that user.", isSecret: true },
    database_name: { variable: "DEFAULT_DATABASE_NAME", description: "Name of the database in it." },
    database: { variable: "DATABASE", description: "The same name, as another output." },
    url: {
      variable: "DATABASE_URL",
      description: "URL with its user and password, from outside.",
      isSecret: true,
    },
    url_internal: {
      variable: "DATABASE_URL_INTERNAL",
      description: "URL with its user and password, for services of the cluster.",
      isSecret: true,
    },
  },
  credentialsAt: (id) => path`/database/${id}/masterCredentials`,
  deletion: { takesContents: true },
  reports: {
    ...resourceReports,
    host: { type: "string", description: "Host at which it is reached." },
    port: { type: "integer", description: "Port at which it is reached." },
    disk_encrypted: { type: "boolean", description: "Whether its disk is encrypted." },
  },
});
