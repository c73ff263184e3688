import type { FastifyInstance } from 'fastify';
import { type Trace, problemBody } from '../problem-style.js';

interface Doors {
  /** Where it listens. */
  readonly host: string;
  /** Names that its certificate is for. */
  readonly names: readonly string[];
}

/**
 * A page in a browser reaches what listens on its machine, under this address or by a name of its own that leads here. Such
 * requests are refused before anything is read: a stranger's page must not empty a sandbox.
 */
export function installDoors(app: FastifyInstance, doors: Doors, trace: Trace): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host, origin } = request.headers;
    const why = !isOwnName(hostnameOf(`http://${host ?? ''}`), doors)
      ? { status: 421, title: 'Misdirected Request', detail: 'The sandbox answers to the names of this machine only.' }
      : origin !== undefined && hostOf(origin) !== host
        ? { status: 403, title: 'Forbidden', detail: 'The sandbox takes no requests from pages of others.' }
        : undefined;
    if (why === undefined) return;
    await reply
      .code(why.status)
      .header('content-type', 'application/problem+json')
      .serializer((body: unknown) => JSON.stringify(body))
      .send(problemBody(why, 'catalogue', trace));
  });
}

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** A sandbox that listens for other machines goes by names that only they know. */
function isOwnName(name: string | undefined, { host, names }: Doors): boolean {
  if (!loopback.test(host === '::1' ? '[::1]' : host)) return true;
  return name !== undefined && (loopback.test(name) || names.includes(name));
}

function hostnameOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}
