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
import { decode, encode } from "./values.ts";

/** The requests about resources. */
export function resourceHandlers(provider: Provider) {
  return {
    async check(request: CheckRequest) {
      return checked(
        await provider.check(request.getUrn(), decode(request.getOlds()), decode(request.getNews())),
      );
    },

    async diff(request: DiffRequest) {
      return differing(
        await provider.diff(request.getUrn(), request.getId(), {
          oldInputs: decode(request.getOldInputs()),
          oldOutputs: decode(request.getOlds()),
          inputs: changing(request),
        }),
      );
    },

    async create(request: CreateRequest) {
      const answer = new messages.CreateResponse();
      const inputs = decode(request.getProperties());
      if (request.getPreview()) {
        answer.setProperties(encode(await provider.preview(request.getUrn(), undefined, inputs)));
        return answer;
      }
      const { id, outs } = await provider.create(request.getUrn(), inputs, limitOf(request));
      answer.setId(id);
      answer.setProperties(encode(outs));
      return answer;
    },

    async read(request: ReadRequest) {
      const found = await provider.read(
        request.getUrn(),
        request.getId(),
        decode(request.getProperties()),
        decode(request.getInputs()),
      );
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
      const outputs = decode(request.getOlds());
      const inputs = changing(request);
      const urn = request.getUrn();
      const after = request.getPreview()
        ? await provider.preview(urn, outputs, inputs)
        : await provider.update(urn, request.getId(), outputs, inputs, limitOf(request));
      answer.setProperties(encode(after));
      return answer;
    },

    async delete(request: DeleteRequest) {
      const outputs = decode(request.getProperties());
      await provider.remove(request.getUrn(), request.getId(), outputs, limitOf(request));
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
