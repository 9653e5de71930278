import Type, { type TSchema } from "typebox";
import { capitalized } from "../core/values/text.ts";
import { form, text } from "../core/outputs/forms/forms.ts";
import { published } from "../core/outputs/forms/index.ts";
import { fleetStatusForm, formOf, journalForm, serviceStatusForm, verbNames } from "../reconciler/index.ts";
import type { VerbName } from "../reconciler/verbs.ts";
import { packageVersion } from "../cli/version.ts";

const messageForm = form({ message: text("What is going to happen, or why nothing is.") });
const sourceForm = form({ source: text("The name of a stopped source.") });
const plain = Type.String();

const requestName = (verb: VerbName) => `${capitalized(verb)}Request`;
const reference = (name: string) => `#/components/schemas/${name}`;
const requestForm = Type.Unsafe<unknown>({
  oneOf: verbNames.map((verb) => ({ $ref: reference(requestName(verb)) })),
  discriminator: {
    propertyName: "type",
    mapping: Object.fromEntries(verbNames.map((verb) => [verb, reference(requestName(verb))])),
  },
});

/** The forms, by their names in the document. */
const named: Record<string, TSchema> = {
  Request: requestForm,
  ...Object.fromEntries(verbNames.map((verb) => [requestName(verb), formOf(verb)])),
  Message: messageForm,
  StoppedSource: sourceForm,
  Status: serviceStatusForm,
  FleetStatus: fleetStatusForm,
  Journal: journalForm,
};
const eitherStatus = Type.Unsafe<unknown>({
  oneOf: ["Status", "FleetStatus"].map((name) => ({ $ref: reference(name) })),
  discriminator: {
    propertyName: "format",
    mapping: {
      "infrasync-reconcile-status": reference("Status"),
      "infrasync-fleet-status": reference("FleetStatus"),
    },
  },
});

/** The answers of an operation by status: their descriptions, and their forms by type. */
type Answers = Record<number, [description: string, forms: Record<string, TSchema>]>;

const json = "application/json";
const texts = { "text/plain": plain };
const messages = { [json]: messageForm };
const failed: Answers = { 500: ["The service could not do this; its log says why.", messages] };
/** What every call may be answered. */
const always: Answers = {
  ...failed,
  401: ["There is no token, or a wrong one.", messages],
  403: ["The role does not allow it.", messages],
  421: ["The service has another address.", messages],
  503: ["The sign-ins cannot be read now, or there are too many readers.", messages],
};
/** What a call with a body may be answered besides. */
const ofBodies: Answers = {
  400: ["This is nothing that can be asked for.", messages],
  413: ["The body is too long.", messages],
  415: ["The body is not JSON.", messages],
};
/** What a call about one of many sources may be answered besides. */
const ofSources: Answers = {
  404: ["No source of this name runs here.", messages],
  504: ["The worker that runs the source does not answer.", messages],
};

interface Call {
  id: string;
  summary: string;
  answers: Answers;
  body?: TSchema;
  parameters?: object[];
}

function operation({ id, summary, answers, body, parameters = [] }: Call): object {
  return {
    operationId: id,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: contentOf({ [json]: body }) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, [description, forms]]) => [
        status,
        { description, content: contentOf(forms) },
      ]),
    ),
  };
}

function contentOf(forms: Record<string, TSchema>): object {
  return Object.fromEntries(
    Object.entries(forms).map(([type, its]) => {
      const [name] = Object.entries(named).find(([, one]) => one === its) ?? [];
      const schema = name === undefined ? its : { $ref: reference(name) };
      return [type, { schema }];
    }),
  );
}

/** A published form, without the members that a document has only once. */
function schemaOf(its: TSchema): object {
  const { $schema: _dialect, title: _title, ...schema } = published("", its) as Record<string, unknown>;
  return schema;
}

const contained = {
  name: "contains",
  in: "query",
  description: "A commit, or the beginning of its id: the answer says where it has come.",
  schema: { type: "string" },
};
const source = [
  { name: "source", in: "path", required: true, description: "Its name.", schema: { type: "string" } },
];

/** The calls about a source: the only one of a service, or one of many, whose paths and ids have a word more. */
function callsOfSource(isOneOfMany: boolean): Record<string, object> {
  const [prefix, word] = isOneOfMany ? ["/sources/{source}", "Source"] : ["", ""];
  const besides = isOneOfMany ? ofSources : {};
  const reading = (
    id: string,
    path: string,
    summary: string,
    forms: Record<string, TSchema>,
    query: object[] = [],
  ) => ({
    [`${prefix}/${path}`]: {
      get: operation({
        id: id.replace(/(?=[A-Z])/, word),
        summary,
        answers: { 200: [summary, forms], ...always, ...besides },
        parameters: [...(isOneOfMany ? source : []), ...query],
      }),
    },
  });
  return {
    ...reading(
      "readStatus",
      "status.json",
      "How it stands.",
      { [json]: isOneOfMany ? serviceStatusForm : eitherStatus },
      [contained],
    ),
    ...reading("readJournal", "journal.json", "What the service has done, the newest first.", {
      [json]: journalForm,
    }),
    ...reading("readAudit", "audit.json", "What people have done, the newest first.", {
      [json]: journalForm,
    }),
    ...reading("readMetrics", "metrics", "Metrics, in the text format of Prometheus.", texts),
    ...reading("followEvents", "events", "An event for each change, until the connection ends.", {
      "text/event-stream": plain,
    }),
    [`${prefix}/requests`]: {
      post: operation({
        id: `ask${word}`,
        summary: "Asks for something.",
        answers: {
          200: ["What is going to happen.", messages],
          ...always,
          ...ofBodies,
          ...besides,
          409: ["It has no effect now, and why.", messages],
        },
        body: requestForm,
        parameters: isOneOfMany ? source : [],
      }),
    },
  };
}

/** The API of a reconciler for programs, as an OpenAPI document: the forms are those that the service itself uses. */
export function serviceApi(): object {
  const health = (id: string, summary: string) => ({
    get: {
      ...operation({
        id,
        summary,
        answers: { 200: ["Yes.", texts], ...failed, 503: ["No, and why.", texts] },
      }),
      security: [],
    },
  });
  return {
    openapi: "3.1.0",
    jsonSchemaDialect: "http://json-schema.org/draft-07/schema#",
    info: {
      title: "infrasync reconcile",
      version: packageVersion(),
      description:
        "What a running reconciler tells and takes. A service of one source has `/requests`, `/journal.json` and `/audit.json`; one with many sources has `/acknowledge`, and everything about a source below `/sources/{source}`.",
    },
    servers: [
      {
        url: "{address}",
        description: "What --listen says, or the proxy in front of it.",
        variables: { address: { default: "http://localhost:8081" } },
      },
    ],
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(Object.entries(named).map(([name, its]) => [name, schemaOf(its)])),
    },
    paths: {
      "/healthz": health("isAlive", "Whether the service is alive."),
      "/readyz": health("isReady", "Whether the service takes requests."),
      ...callsOfSource(false),
      "/acknowledge": {
        post: operation({
          id: "acknowledge",
          summary: "Shows a stopped source no longer.",
          answers: {
            200: ["It is no longer shown.", messages],
            ...always,
            ...ofBodies,
            404: ["No stopped source has this name.", messages],
          },
          body: sourceForm,
        }),
      },
      ...callsOfSource(true),
    },
  };
}
