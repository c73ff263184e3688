import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStateStore } from '@platform-sync/state/open';

const password = 'canary-password-0815';
let server: Server;
let heard: string;

/** Takes every client in, and asks for the password so: 3 in clear, 5 hashed with a salt. */
async function standIn(asks: 3 | 5): Promise<void> {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const salt = asks === 5 ? Buffer.from('salt') : Buffer.alloc(0);
      const request = Buffer.alloc(9);
      request.write('R');
      request.writeInt32BE(8 + salt.length, 1);
      request.writeInt32BE(asks, 5);
      socket.write(Buffer.concat([request, salt]));
      socket.on('data', (data) => {
        heard += data.toString('latin1');
        socket.destroy();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

beforeEach(() => {
  heard = '';
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function open(host: string, parameters = ''): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const url = `postgres://me:${password}@${host}:${port}/sync${parameters}`;
  return openStateStore({ backend: 'postgres', url }, 'shop', 'dev').catch((error: unknown) => error);
}

// This machine, by an address that is none of its own names.
const elsewhere = '[::ffff:127.0.0.1]';

describe('a PostgreSQL server that asks for a password in the open', () => {
  it.each([3, 5] as const)('gets none from another machine (%i)', async (asks) => {
    await standIn(asks);
    const error = await open(elsewhere);
    expect(heard).toBe('');
    expect(error).toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/^the state database on \S+ asks for the password in the open$/) as unknown,
      hint: expect.stringContaining('?sslmode=verify-full') as unknown,
    });
    expect(JSON.stringify(error)).not.toContain(password);
  });

  it.each(['127.0.0.1', 'localhost'])('gets it on this machine: %s', async (host) => {
    await standIn(3);
    await open(host);
    expect(heard).toContain(password);
  });

  it('gets it where the address says so', async () => {
    await standIn(3);
    await open(elsewhere, '?sslmode=disable');
    expect(heard).toContain(password);
  });

  it('gets none where its address asks for TLS', async () => {
    await standIn(3);
    await open('127.0.0.1', '?sslmode=require');
    expect(heard).toBe('');
  });
});
