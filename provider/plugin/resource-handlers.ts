import messages from "@pulumi/pulumi/proto/provider_pb.js";
import type {
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { checked, differing } from "./answers.ts";
import type { Provider } from "./provider.ts";
import { ignoredProperty, type Properties } from "../lifecycle/index.ts";
import { kindOfUrn } from "./types.ts";
import { decode, encode } from "./values.ts";

export function resourceHandlers(provider: Provider) {
  const { lifecycle } = provider;
  return {
    async check(request: CheckRequest) {
      const [olds, news] = [decode(request.getOlds()), decode(request.getNews())];
      return checked(await provider.check(request.getUrn(), olds, news));
    },

    async diff(request: DiffRequest) {
      const oldInputs = decode(request.getOldInputs());
      const versions = { oldInputs, oldOutputs: decode(request.getOlds()), inputs: changing(request) };
      return differing(await provider.diff(request.getUrn(), request.getId(), versions));
    },

    async create(request: CreateRequest) {
      const answer = new messages.CreateResponse();
      const inputs = decode(request.getProperties());
      const urn = request.getUrn();
      if (request.getPreview()) {
        answer.setProperties(encode(await provider.preview(urn, undefined, inputs)));
        return answer;
      }
      const { config } = provider;
      const { id, outs } = await lifecycle.create(kindOfUrn(urn), inputs, config, urn, limitOf(request));
      answer.setId(id);
      answer.setProperties(encode(outs));
      return answer;
    },

    async read(request: ReadRequest) {
      const [outputs, inputs] = [decode(request.getProperties()), decode(request.getInputs())];
      const found = await provider.read(request.getUrn(), request.getId(), outputs, inputs);
      const answer = new messages.ReadResponse();
      // An answer without properties says that the resource does not exist.
      if (found.id === "") return answer;
      answer.setId(found.id);
      answer.setProperties(encode(found.props));
      answer.setInputs(encode(found.inputs));
      return answer;
    },

    async update(request: UpdateRequest) {
      const answer = new messages.UpdateResponse();
      const [outputs, inputs] = [decode(request.getOlds()), changing(request)];
      const [urn, id, limit] = [request.getUrn(), request.getId(), limitOf(request)];
      const { config } = provider;
      const after = request.getPreview()
        ? await provider.preview(urn, outputs, inputs)
        : (await lifecycle.update(kindOfUrn(urn), id, outputs, inputs, config, urn, limit)).outs;
      answer.setProperties(encode(after));
      return answer;
    },

    async delete(request: DeleteRequest) {
      const [urn, outputs] = [request.getUrn(), decode(request.getProperties())];
      const { config } = provider;
      await lifecycle.remove(kindOfUrn(urn), request.getId(), outputs, config, urn, limitOf(request));
      return new empty.Empty();
    },
  };
}

/** The new inputs of a resource, with the fields that keep their live values. */
function changing(request: DiffRequest | UpdateRequest): Properties {
  return { ...decode(request.getNews()), [ignoredProperty]: request.getIgnorechangesList() };
}

/** The milliseconds that the option `customTimeouts` gives; undefined where it says nothing. */
function limitOf(request: CreateRequest | UpdateRequest | DeleteRequest): number | undefined {
  const seconds = request.getTimeout();
  return seconds > 0 ? seconds * 1000 : undefined;
}
