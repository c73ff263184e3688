import { credentials, Metadata } from '@grpc/grpc-js';
import { EngineClient, messages } from './wire/messages.js';

type Severity = 'info' | 'warning';

const severities = {
  info: messages.LogSeverity.INFO,
  warning: messages.LogSeverity.WARNING,
} as const;

/** Longest wait for the engine to take a message, milliseconds. */
const patienceMs = 2000;

/** What people are told while a call runs: the engine shows it, under the resource where there is one. */
export class EngineLog {
  #client: InstanceType<typeof EngineClient> | undefined;
  readonly #sent = new Set<Promise<void>>();

  /** The engine's address, as its handshake says. */
  connect(address: string): void {
    this.#client?.close();
    this.#client = address === '' ? undefined : new EngineClient(address, credentials.createInsecure());
  }

  /** Says it once it can; that nobody hears it is no failure of the call. */
  say(severity: Severity, message: string, urn = ''): void {
    const client = this.#client;
    if (client === undefined) return;
    const request = new messages.LogRequest();
    request.setSeverity(severities[severity]);
    request.setMessage(message);
    request.setUrn(urn);
    const sent = new Promise<void>((resolve) => {
      client.log(request, new Metadata(), { deadline: Date.now() + patienceMs }, () => resolve());
    });
    this.#sent.add(sent);
    void sent.then(() => this.#sent.delete(sent));
  }

  /** Resolves when everything said so far is taken: what comes after the answer to a call may be shown nowhere. */
  async told(): Promise<void> {
    await Promise.all(this.#sent);
  }

  close(): void {
    this.#client?.close();
    this.#client = undefined;
  }
}
