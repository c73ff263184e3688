import { Server, ServerCredentials, type handleUnaryCall, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { handlers, type Handler } from './handlers.js';
import { serviceError, Unimplemented } from './failures.js';
import type { Host } from './host.js';
import { ResourceProviderService } from './wire/messages.js';

/** The engine's own limit for one message. */
const maxMessageBytes = 400 * 1024 * 1024;

export interface Running {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves the protocol on a port of this machine. */
export async function serve(host: Host): Promise<Running> {
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  });
  server.addService(ResourceProviderService, implementation(host));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    port,
    close: async () => {
      server.forceShutdown();
      await host.session.close();
      host.session.log.close();
    },
  };
}

/** Every method of the service: those that are not ours say so. */
function implementation(host: Host): UntypedServiceImplementation {
  return Object.fromEntries(
    Object.keys(ResourceProviderService).map((name) => [name, unary(host, name, handlers[name])]),
  );
}

function unary(host: Host, name: string, handler: Handler | undefined): handleUnaryCall<unknown, unknown> {
  return (call, answer) => {
    const work = async (): Promise<unknown> => {
      if (handler === undefined) throw new Unimplemented(`${name} is not implemented.`);
      // Each handler names the message of its method, which is what the service gives it.
      try {
        return await handler(host, call.request as never);
      } finally {
        await host.session.log.told();
      }
    };
    work().then(
      (message) => answer(null, message),
      (error: unknown) => answer(serviceError(error, host.session.redactor)),
    );
  };
}
