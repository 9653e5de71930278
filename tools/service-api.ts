import Type, { type TSchema } from "typebox";
import { capitalized } from "../core/values/text.ts";
import { form, text } from "../core/outputs/forms/forms.ts";
import { published } from "../core/outputs/forms/index.ts";
import { fleetStatusForm, formOf, serviceStatusForm, verbNames } from "../reconciler/index.ts";
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

/** The forms, by the names that they have in the document. */
const named: Record<string, TSchema> = {
  Request: requestForm,
  ...Object.fromEntries(verbNames.map((verb) => [requestName(verb), formOf(verb)])),
  Message: messageForm,
  StoppedSource: sourceForm,
  Status: serviceStatusForm,
  FleetStatus: fleetStatusForm,
};
const eitherStatus = Type.Unsafe<unknown>({
  anyOf: ["Status", "FleetStatus"].map((name) => ({ $ref: reference(name) })),
});

/** The answers of an operation by their statuses: what each says, and its form by its type. */
type Answers = Record<number, [description: string, forms: Record<string, TSchema>]>;

const json = "application/json";
const texts = { "text/plain": plain };
const messages = { [json]: messageForm };
const strangers: Answers = {
  401: ["There is no token, or a wrong one.", texts],
  403: ["The role does not allow it.", { ...messages, ...texts }],
};

/** An operation: what it does, its answers, and the form of its body. */
function operation(summary: string, answers: Answers, body?: TSchema, parameters: object[] = []): object {
  return {
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

/** A form as it is published, without what a document has but once. */
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

/** The calls about one source, below a path. */
function callsOfSource(prefix: string, status: TSchema, parameters: object[]): Record<string, object> {
  const reading = (summary: string, forms: Record<string, TSchema>) => ({
    get: operation(summary, { 200: [summary, forms], ...strangers }, undefined, parameters),
  });
  return {
    [`${prefix}/status.json`]: {
      get: operation(
        "How it stands.",
        { 200: ["How it stands.", { [json]: status }], ...strangers },
        undefined,
        [...parameters, ...(status === fleetStatusForm ? [] : [contained])],
      ),
    },
    [`${prefix}/metrics`]: reading("Metrics, in the text format of Prometheus.", texts),
    [`${prefix}/events`]: reading("An event for each change, until the connection ends.", {
      "text/event-stream": plain,
    }),
  };
}

function userActionsOf(prefix: string, parameters: object[]): Record<string, object> {
  const answers: Answers = {
    200: ["What is going to happen.", messages],
    400: ["This is nothing that can be asked for.", messages],
    ...strangers,
    409: ["It has no effect now, and why.", messages],
  };
  return {
    [`${prefix}/requests`]: { post: operation("Asks for something.", answers, requestForm, parameters) },
  };
}

/** The API of a reconciler for programs, as an OpenAPI document: the forms are those that the service itself uses. */
export function serviceApi(): object {
  const source = [
    { name: "source", in: "path", required: true, description: "Its name.", schema: { type: "string" } },
  ];
  const health = (summary: string) => ({
    get: {
      ...operation(summary, { 200: ["Yes.", texts], 503: ["No, and why.", texts] }),
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
        "What a running reconciler tells and takes. A service of one source has `/requests`; one with many sources has `/acknowledge`, and everything about a source below `/sources/{source}`.",
    },
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(Object.entries(named).map(([name, its]) => [name, schemaOf(its)])),
    },
    paths: {
      "/healthz": health("Whether the service is alive."),
      "/readyz": health("Whether the service takes requests."),
      ...callsOfSource("", eitherStatus, []),
      ...userActionsOf("", []),
      "/acknowledge": {
        post: operation(
          "Shows a stopped source no longer.",
          {
            200: ["It is shown no longer.", messages],
            ...strangers,
            404: ["No stopped source has this name.", messages],
          },
          sourceForm,
        ),
      },
      ...callsOfSource("/sources/{source}", serviceStatusForm, source),
      ...userActionsOf("/sources/{source}", source),
    },
  };
}
