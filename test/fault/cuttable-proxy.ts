import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a database that can be cut and mended. */
export interface CuttableProxy {
  /** The address of the database, by this way. */
  readonly url: string;
  cut(): void;
  /** From now on everything is taken and nothing passed on, without a word. */
  swallow(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function cuttableProxy(database: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSwallowing = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.on('data', (bytes: Buffer) => {
        if (!isSwallowing) other.write(bytes);
      });
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = new URL(database);
  url.host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      drop();
    },
    swallow: () => {
      isSwallowing = true;
    },
    mend: () => {
      isCut = false;
      isSwallowing = false;
    },
    close: () => {
      drop();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
