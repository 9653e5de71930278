import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb.js";
import type {
  CheckRequest,
  ConfigureRequest,
  DiffRequest,
  GetSchemaRequest,
  InvokeRequest,
  ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import { sameJson } from "../../core/values/json.ts";
import { checked, invoked } from "./answers.ts";
import { checkConfiguration, configOf } from "./configuration.ts";
import type { Engine } from "./engine.ts";
import { schema } from "../generated/schema.ts";
import type { Provider } from "./provider.ts";
import { nameOfToken } from "./types.ts";
import { decode } from "./values.ts";
import { secretProperty } from "../lifecycle/index.ts";

/** The requests about the provider itself. */
export function configurationHandlers(provider: Provider, engine: Engine, version: string) {
  return {
    handshake(request: ProviderHandshakeRequest) {
      engine.connect(request.getEngineAddress());
      const answer = new messages.ProviderHandshakeResponse();
      answer.setAcceptSecrets(true);
      answer.setSupportsAutonamingConfiguration(true);
      return answer;
    },

    attach(request: PluginAttach) {
      engine.connect(request.getAddress());
      return new empty.Empty();
    },

    getPluginInfo() {
      const answer = new pluginMessages.PluginInfo();
      answer.setVersion(version);
      return answer;
    },

    getSchema(request: GetSchemaRequest) {
      if (request.getVersion() > 0) throw new Error(`unsupported schema version ${request.getVersion()}`);
      const answer = new messages.GetSchemaResponse();
      answer.setSchema(schema);
      return answer;
    },

    checkConfig(request: CheckRequest) {
      return checked(checkConfiguration(decode(request.getNews())));
    },

    /** No change of the configuration replaces the provider, which would replace all resources. */
    diffConfig(request: DiffRequest) {
      const { [secretProperty]: _old, ...olds } = decode(request.getOldInputs() ?? request.getOlds());
      const { [secretProperty]: _new, ...news } = decode(request.getNews());
      const answer = new messages.DiffResponse();
      const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
      answer.setChanges(sameJson(olds, news) ? DIFF_NONE : DIFF_SOME);
      return answer;
    },

    configure(request: ConfigureRequest) {
      provider.config = configOf(decode(request.getArgs()));
      const answer = new messages.ConfigureResponse();
      answer.setAcceptsecrets(true);
      answer.setSupportspreview(true);
      // The provider names nothing itself, so a user can disable that, which makes the engine delete before it replaces.
      answer.setSupportsAutonamingConfiguration(true);
      return answer;
    },

    async invoke(request: InvokeRequest) {
      const [name, args] = [nameOfToken(request.getTok()), decode(request.getArgs())];
      return invoked(await provider.lifecycle.call(name, args, provider.config));
    },

    /** Comes when a user cancels, and at the end of every run. */
    async cancel() {
      await provider.lifecycle.cancel();
      return new empty.Empty();
    },
  };
}
