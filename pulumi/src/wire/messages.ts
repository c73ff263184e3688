import engineServices from '@pulumi/pulumi/proto/engine_grpc_pb.js';
import engineMessages from '@pulumi/pulumi/proto/engine_pb.js';
import pluginMessages from '@pulumi/pulumi/proto/plugin_pb.js';
import providerServices from '@pulumi/pulumi/proto/provider_grpc_pb.js';
import providerMessages from '@pulumi/pulumi/proto/provider_pb.js';
import statusMessages from '@pulumi/pulumi/proto/status_pb.js';
import anyMessages from 'google-protobuf/google/protobuf/any_pb.js';
import emptyMessages from 'google-protobuf/google/protobuf/empty_pb.js';
import structMessages, { type JavaScriptValue, type Struct } from 'google-protobuf/google/protobuf/struct_pb.js';

/**
 * The message classes of the ecosystem's own SDK, without its runtime. They are CommonJS, whose members Node.js only gives as
 * one default export.
 */
export const messages = {
  ...providerMessages,
  ...pluginMessages,
  ...engineMessages,
  Status: statusMessages.Status,
  Any: anyMessages.Any,
  Empty: emptyMessages.Empty,
};
export const { ResourceProviderService, ResourceProviderClient } = providerServices;
export const { EngineClient, EngineService } = engineServices;

/** The members of a struct; none where there is no struct. */
export function membersOf(struct: Struct | undefined): Readonly<Record<string, JavaScriptValue>> {
  return struct?.toJavaScript() ?? {};
}

export function structOf(members: Readonly<Record<string, unknown>>): Struct {
  return structMessages.Struct.fromJavaScript(members as Record<string, JavaScriptValue>);
}
