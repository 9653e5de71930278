import { credentials, type ServiceError } from "@grpc/grpc-js";
import services from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import struct from "google-protobuf/google/protobuf/struct_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { Fields } from "../../../core/values/json.ts";

type Client = InstanceType<typeof services.ResourceProviderClient>;

/** A mistake in inputs. */
export interface Failure {
  property: string;
  reason: string;
}

/** A resource in the state of a stack. */
export interface StateEntry {
  kind: string;
  id: string;
  inputs: Fields;
  outputs: Fields;
}

/** What the engine is told of a difference. */
export interface DiffAnswer {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
  /** Path -> `UPDATE`; a star where the former value is that of the inputs. */
  details: Record<string, string>;
}

/** A secret, as the engine sends and receives it. */
export const secret = (value: Fields[string]): Fields => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

/** Speaks to a plugin as the engine does, over gRPC. */
export class PluginClient {
  readonly #client: Client;

  constructor(port: number) {
    this.#client = new services.ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  }

  close(): void {
    this.#client.close();
  }

  /** The first requests of every run. */
  async configure(config: Fields): Promise<void> {
    const { inputs, failures } = await this.checkConfig(config);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    const request = new messages.ConfigureRequest();
    request.setArgs(structOf(inputs));
    request.setAcceptsecrets(true);
    await this.#call("configure", request);
  }

  async checkConfig(news: Fields): Promise<{ inputs: Fields; failures: Failure[] }> {
    const request = new messages.CheckRequest();
    request.setUrn("urn:pulumi:dev::test::pulumi:providers:infrasync::default");
    request.setNews(structOf(news));
    return checkedOf(await this.#call("checkConfig", request));
  }

  async diffConfig(olds: Fields, news: Fields): Promise<DiffAnswer> {
    const request = new messages.DiffRequest();
    request.setOldInputs(structOf(olds));
    request.setNews(structOf(news));
    return diffOf(await this.#call("diffConfig", request));
  }

  async check(
    kind: string,
    news: Fields,
    olds: Fields = {},
  ): Promise<{ inputs: Fields; failures: Failure[] }> {
    const request = new messages.CheckRequest();
    request.setUrn(urnOf(kind));
    request.setNews(structOf(news));
    request.setOlds(structOf(olds));
    return checkedOf(await this.#call("check", request));
  }

  async diff({ kind, id, inputs, outputs }: StateEntry, news: Fields): Promise<DiffAnswer> {
    const request = new messages.DiffRequest();
    request.setUrn(urnOf(kind));
    request.setId(id);
    request.setOldInputs(structOf(inputs));
    request.setOlds(structOf(outputs));
    request.setNews(structOf(news));
    return diffOf(await this.#call("diff", request));
  }

  async previewCreation(kind: string, inputs: Fields): Promise<Fields> {
    const request = new messages.CreateRequest();
    request.setUrn(urnOf(kind));
    request.setProperties(structOf(inputs));
    request.setPreview(true);
    return fieldsOf((await this.#call("create", request)).getProperties());
  }

  /** Checks and creates. @param timeout seconds, the option `customTimeouts` */
  async create(kind: string, news: Fields, timeout = 0): Promise<StateEntry> {
    const { inputs, failures } = await this.check(kind, news);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    const request = new messages.CreateRequest();
    request.setUrn(urnOf(kind));
    request.setProperties(structOf(inputs));
    request.setTimeout(timeout);
    const answer = await this.#call("create", request);
    return { kind, id: answer.getId(), inputs, outputs: fieldsOf(answer.getProperties()) };
  }

  /** Undefined when the resource does not exist. */
  async read({ kind, id, inputs, outputs }: StateEntry): Promise<StateEntry | undefined> {
    const request = new messages.ReadRequest();
    request.setUrn(urnOf(kind));
    request.setId(id);
    request.setInputs(structOf(inputs));
    request.setProperties(structOf(outputs));
    const answer = await this.#call("read", request);
    if (!answer.hasProperties()) return undefined;
    return {
      kind,
      id: answer.getId(),
      inputs: fieldsOf(answer.getInputs()),
      outputs: fieldsOf(answer.getProperties()),
    };
  }

  /** Reads what is not in the state. */
  import(kind: string, id: string): Promise<StateEntry | undefined> {
    return this.read({ kind, id, inputs: {}, outputs: {} });
  }

  async update(entry: StateEntry, news: Fields, options: { preview?: boolean } = {}): Promise<StateEntry> {
    const { kind, id, inputs, outputs } = entry;
    const checked = await this.check(kind, news, inputs);
    if (checked.failures.length > 0) throw new Error(JSON.stringify(checked.failures));
    const request = new messages.UpdateRequest();
    request.setUrn(urnOf(kind));
    request.setId(id);
    request.setOlds(structOf(outputs));
    request.setOldInputs(structOf(inputs));
    request.setNews(structOf(checked.inputs));
    request.setPreview(options.preview ?? false);
    const answer = await this.#call("update", request);
    return { kind, id, inputs: checked.inputs, outputs: fieldsOf(answer.getProperties()) };
  }

  async remove({ kind, id, inputs, outputs }: StateEntry): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setUrn(urnOf(kind));
    request.setId(id);
    request.setOldInputs(structOf(inputs));
    request.setProperties(structOf(outputs));
    await this.#call("delete", request);
  }

  async invoke(name: string, args: Fields): Promise<Fields> {
    const request = new messages.InvokeRequest();
    request.setTok(`infrasync:index:${name}`);
    request.setArgs(structOf(args));
    const answer = await this.#call("invoke", request);
    const failures = answer
      .getFailuresList()
      .map((failure) => `${failure.getProperty()}: ${failure.getReason()}`);
    if (failures.length > 0) throw new Error(failures.join("\n"));
    return fieldsOf(answer.getReturn());
  }

  async schema(): Promise<unknown> {
    return JSON.parse((await this.#call("getSchema", new messages.GetSchemaRequest())).getSchema());
  }

  async version(): Promise<string> {
    return (await this.#call("getPluginInfo", new empty.Empty())).getVersion();
  }

  async cancel(): Promise<void> {
    await this.#call("cancel", new empty.Empty());
  }

  #call<Method extends keyof Answers>(method: Method, request: object): Promise<Answers[Method]> {
    return new Promise((resolve, reject) => {
      const send = this.#client[method].bind(this.#client) as unknown as (
        request: object,
        callback: (error: ServiceError | null, answer: Answers[Method]) => void,
      ) => void;
      send(request, (error, answer) => (error ? reject(withDetails(error)) : resolve(answer)));
    });
  }
}

interface Answers {
  checkConfig: InstanceType<typeof messages.CheckResponse>;
  diffConfig: InstanceType<typeof messages.DiffResponse>;
  configure: InstanceType<typeof messages.ConfigureResponse>;
  check: InstanceType<typeof messages.CheckResponse>;
  diff: InstanceType<typeof messages.DiffResponse>;
  create: InstanceType<typeof messages.CreateResponse>;
  read: InstanceType<typeof messages.ReadResponse>;
  update: InstanceType<typeof messages.UpdateResponse>;
  delete: InstanceType<typeof empty.Empty>;
  invoke: InstanceType<typeof messages.InvokeResponse>;
  getSchema: InstanceType<typeof messages.GetSchemaResponse>;
  getPluginInfo: { getVersion(): string };
  cancel: InstanceType<typeof empty.Empty>;
}

/** The creation has failed halfway: what the engine puts into the state. */
export class InitFailed extends Error {
  readonly id: string;
  readonly properties: Fields;
  readonly reasons: string[];

  constructor(id: string, properties: Fields, reasons: string[]) {
    super(reasons.join("\n"));
    this.id = id;
    this.properties = properties;
    this.reasons = reasons;
  }
}

function withDetails(error: ServiceError): Error {
  const [binary] = error.metadata.get("grpc-status-details-bin");
  if (!(binary instanceof Buffer)) return new Error(error.details);
  const [detail] = statusMessages.Status.deserializeBinary(binary).getDetailsList();
  const failed = detail?.unpack(
    (bytes: Uint8Array) => messages.ErrorResourceInitFailed.deserializeBinary(bytes),
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (!failed) return new Error(error.details);
  return new InitFailed(failed.getId(), fieldsOf(failed.getProperties()), failed.getReasonsList());
}

function urnOf(kind: string): string {
  return `urn:pulumi:dev::test::infrasync:index:${kind}::name`;
}

function structOf(fields: Fields): Struct {
  return struct.Struct.fromJavaScript(fields as Parameters<typeof struct.Struct.fromJavaScript>[0]);
}

function fieldsOf(properties: Struct | undefined): Fields {
  return (properties?.toJavaScript() ?? {}) as Fields;
}

function checkedOf(answer: Answers["check"]): { inputs: Fields; failures: Failure[] } {
  return {
    inputs: fieldsOf(answer.getInputs()),
    failures: answer.getFailuresList().map((failure) => failure.toObject()),
  };
}

function diffOf(answer: Answers["diff"]): DiffAnswer {
  const names = Object.entries(messages.PropertyDiff.Kind);
  const details: Record<string, string> = {};
  answer.getDetaileddiffMap().forEach((property, path) => {
    const name = names.find(([, value]) => value === property.getKind())?.[0] ?? "?";
    details[path] = name + (property.getInputdiff() ? "*" : "");
  });
  return {
    changes: answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
    replaces: answer.getReplacesList(),
    deleteBeforeReplace: answer.getDeletebeforereplace(),
    details,
  };
}
