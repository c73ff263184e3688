import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  /** `host:port` of each tunnel that was asked for, in order. */
  readonly tunnels: string[];
  /** The names and passwords that came along. */
  readonly credentials: Set<string | undefined>;
  /** Status of every answer; anything but 200 is a refusal. */
  status: number;
  close(): Promise<void>;
}

/** A proxy that knows where the named hosts are, and counts who goes where. */
export async function startCountingProxy(portOf: (host: string) => number): Promise<CountingProxy> {
  const tunnels: string[] = [];
  const credentials = new Set<string | undefined>();
  const open = new Set<Socket>();
  const server = createServer((request, response) => {
    tunnels.push(`plain ${request.url ?? ''}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request, client: Socket) => {
    const host = request.url ?? '';
    tunnels.push(host);
    credentials.add(request.headers['proxy-authorization']);
    open.add(client);
    client.on('error', () => undefined);
    if (proxy.status !== 200) return void client.end(`HTTP/1.1 ${proxy.status} No\r\n\r\n`);
    const target = connect(portOf(host.replace(/:\d+$/, '')), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.destroy());
    open.add(target);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const proxy: CountingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    credentials,
    status: 200,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
  return proxy;
}
