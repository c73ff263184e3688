import { createServer } from 'node:net';

/**
 * A port for a program that must be told one. Below those that systems give to whoever asks for any: one of these, free a moment ago,
 * is the next server's.
 */
export async function portToBind(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((told) => {
    const server = createServer();
    server.once('error', () => told(false));
    server.listen(port, '127.0.0.1', () => server.close(() => told(true)));
  });
}
