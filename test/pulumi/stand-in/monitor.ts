import { Server, ServerCredentials, status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import resourceServices from '@pulumi/pulumi/proto/resource_grpc_pb.js';
import resourceMessages from '@pulumi/pulumi/proto/resource_pb.js';
import { EngineService, membersOf, messages, structOf } from '../../../pulumi/src/wire/messages.js';
import { isServiceError, type Members } from '../engine.js';
import type { Deployment, Registration } from './deployment.js';
import type { Providers } from './providers.js';

/** What of the real monitor the programs may count on here. */
const features: ReadonlySet<string> = new Set(['secrets', 'resourceReferences', 'aliasSpecs']);

type Message<Name extends keyof typeof resourceMessages> = (typeof resourceMessages)[Name] extends new () => infer One
  ? One
  : never;
type Answer = (request: never) => unknown;

/** A server of this process for one command. */
export class Listener {
  readonly address: string;
  readonly #server: Server;

  static async open(service: UntypedServiceOf, answers: Readonly<Record<string, Answer>>): Promise<Listener> {
    const limits = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };
    const server = new Server(limits);
    server.addService(service, Object.fromEntries(Object.keys(service).map((name) => [name, unary(answers[name])])));
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      ),
    );
    return new Listener(`127.0.0.1:${String(port)}`, server);
  }

  constructor(address: string, server: Server) {
    this.address = address;
    this.#server = server;
  }

  close(): void {
    this.#server.forceShutdown();
  }
}

type UntypedServiceOf = Parameters<Server['addService']>[0];

function unary(answer: Answer | undefined): UntypedServiceImplementation[string] {
  return (call: { readonly request: unknown }, done: (error: object | null, message?: unknown) => void) => {
    // As an engine of before that call: the SDKs then ask in the older way.
    if (answer === undefined) return done({ code: status.UNIMPLEMENTED, details: 'not here' });
    const work = async (): Promise<unknown> => answer(call.request as never);
    work().then(
      (message) => done(null, message),
      // As when the real one goes away: the program ends, and what is wrong is told by the engine.
      (error: unknown) =>
        done({ code: status.UNAVAILABLE, details: isServiceError(error) ? error.details : String(error) }),
    );
  };
}

/** The monitor that a running program talks to. */
export function openMonitor(
  deployment: Deployment,
  providers: Providers,
  onOutputs: (outputs: Members) => void,
): Promise<Listener> {
  return Listener.open(resourceServices.ResourceMonitorService, {
    supportsFeature: (request: Message<'SupportsFeatureRequest'>) => {
      const answer = new resourceMessages.SupportsFeatureResponse();
      answer.setHassupport(features.has(request.getId()));
      return answer;
    },
    registerResource: async (request: Message<'RegisterResourceRequest'>) => {
      const { urn, id, outputs } = await deployment.register(registration(request));
      const answer = new resourceMessages.RegisterResourceResponse();
      answer.setUrn(urn);
      answer.setId(id);
      answer.setObject(structOf(outputs));
      return answer;
    },
    readResource: async (request: Message<'ReadResourceRequest'>) => {
      const { urn, outputs } = await deployment.read(reading(request), request.getId());
      const answer = new resourceMessages.ReadResourceResponse();
      answer.setUrn(urn);
      answer.setProperties(structOf(outputs));
      return answer;
    },
    registerResourceOutputs: (request: Message<'RegisterResourceOutputsRequest'>) => {
      onOutputs(membersOf(request.getOutputs()));
      return new messages.Empty();
    },
    invoke: async (request: Message<'ResourceInvokeRequest'>) => {
      const engine = await providers.of(request.getProvider(), request.getTok());
      const asked = new messages.InvokeRequest();
      asked.setTok(request.getTok());
      asked.setArgs(request.getArgs());
      return engine?.send('invoke', asked);
    },
    call: async (request: Message<'ResourceCallRequest'>) => {
      const self = membersOf(request.getArgs())['__self__'] as unknown as { readonly urn: string };
      const engine = await providers.of(`${self.urn}::`, request.getTok());
      const asked = new messages.CallRequest();
      asked.setTok(request.getTok());
      asked.setArgs(request.getArgs());
      return engine?.send('call', asked);
    },
    signalAndWaitForShutdown: () => new messages.Empty(),
  });
}

/** Where providers and programs say what people are to hear. */
export function openLog(said: string[]): Promise<Listener> {
  let root = '';
  return Listener.open(EngineService, {
    log: (request: InstanceType<typeof messages.LogRequest>) => {
      if (request.getSeverity() !== messages.LogSeverity.DEBUG) said.push(request.getMessage());
      return new messages.Empty();
    },
    getRootResource: () => {
      const answer = new messages.GetRootResourceResponse();
      answer.setUrn(root);
      return answer;
    },
    setRootResource: (request: InstanceType<typeof messages.SetRootResourceRequest>) => {
      root = request.getUrn();
      return new messages.SetRootResourceResponse();
    },
  });
}

function registration(request: Message<'RegisterResourceRequest'>): Registration {
  const places = [...request.getPropertydependenciesMap().entries()].map(
    ([name, urns]) => [name, urns.getUrnsList()] as const,
  );
  return {
    ...{ type: request.getType(), name: request.getName(), parent: request.getParent() },
    ...{ custom: request.getCustom(), inputs: membersOf(request.getObject()), provider: request.getProvider() },
    ...{ dependencies: request.getDependenciesList(), propertyDependencies: Object.fromEntries(places) },
    ...{ importId: request.getImportid(), ignored: request.getIgnorechangesList() },
    secretOutputs: request.getAdditionalsecretoutputsList(),
  };
}

function reading(request: Message<'ReadResourceRequest'>): Registration {
  return {
    ...{ type: request.getType(), name: request.getName(), parent: request.getParent() },
    ...{ custom: true, inputs: membersOf(request.getProperties()), provider: request.getProvider() },
    ...{ dependencies: request.getDependenciesList(), propertyDependencies: {}, importId: '', ignored: [] },
    secretOutputs: request.getAdditionalsecretoutputsList(),
  };
}
