import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '@platform-sync/core/model/canonical';
import { isCommitId } from '@platform-sync/core/model/fleet';
import { readJson } from '@platform-sync/core/model/read-json';
import { momentIn } from '@platform-sync/core/model/world';
import { isSameText, type Service, visitorOf } from './guard.js';

/** What a forge says of a request that somebody can review. */
interface Proposed {
  /** The repository that it is for, as the forge's API knows it. */
  readonly project: string;
  /** Its number. */
  readonly request: string;
  /** What it proposes now. */
  readonly commit: string;
  /** ISO 8601. */
  readonly at: string;
  /** Who brings it: git's authors are whom somebody says they are. */
  readonly authors: readonly string[];
}

type Headers = FastifyRequest['headers'];

/** A forge: how it proves itself, and what its messages mean. `undefined`: a message about something else. */
interface Forge {
  readonly isProven: (headers: Headers, body: string, secret: string) => boolean;
  readonly proposed: (headers: Headers, message: unknown) => Proposed | undefined;
}

const forges: Readonly<Record<'github' | 'gitlab', Forge>> = {
  github: {
    isProven: ({ 'x-hub-signature-256': given }, body, secret) =>
      isSame(given, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
    proposed: ({ 'x-github-event': event }, message) => {
      const isNew = ['opened', 'reopened', 'synchronize', 'ready_for_review'].includes(textIn(message, 'action'));
      if (event !== 'pull_request' || !isNew) return undefined;
      const request = memberIn(message, 'pull_request');
      return {
        project: textIn(memberIn(message, 'repository'), 'full_name'),
        ...{ request: textIn(request, 'number'), commit: textIn(memberIn(request, 'head'), 'sha') },
        at: textIn(request, 'updated_at'),
        authors: [memberIn(request, 'user'), memberIn(message, 'sender')].map((who) => textIn(who, 'login')),
      };
    },
  },
  gitlab: {
    isProven: ({ 'x-gitlab-token': given }, _body, secret) => isSame(given, secret),
    proposed: ({ 'x-gitlab-event': event }, message) => {
      const request = memberIn(message, 'object_attributes');
      const action = textIn(request, 'action');
      // An update without an older commit is one of words.
      const isNew = ['open', 'reopen'].includes(action) || (action === 'update' && textIn(request, 'oldrev') !== '');
      if (event !== 'Merge Request Hook' || !isNew) return undefined;
      return {
        project: textIn(memberIn(message, 'project'), 'id'),
        ...{ request: textIn(request, 'iid'), commit: textIn(memberIn(request, 'last_commit'), 'id') },
        at: textIn(request, 'updated_at').replace(' UTC', 'Z').replace(' ', 'T'),
        authors: [memberIn(message, 'user')].flatMap((who) => [textIn(who, 'username'), textIn(who, 'email')]),
      };
    },
  },
};

/** A message that is older is not new to anybody; those of so long are remembered. */
const freshMs = 24 * 3_600_000;

/** Requests of both forges: each commit of one is planned once for every stack, and a newer one takes the place of what waits. */
export function hookRoutes(app: FastifyInstance, service: Service): void {
  const { options, store, queue } = service;
  const answer = (reply: FastifyReply, code: number, words: string): FastifyReply =>
    reply.code(code).type('text/plain; charset=utf-8').send(`${words}\n`);
  for (const name of ['github', 'gitlab'] as const) {
    const forge = forges[name];
    const secret = name === 'github' ? options.hookSecrets.github : options.hookSecrets.gitlab;
    app.post(`/hooks/${name}`, { bodyLimit: 2_000_000 }, async (request, reply) => {
      const body = typeof request.body === 'string' ? request.body : '';
      const note = (outcome: 'done' | 'denied', target: string, words: string): Promise<void> =>
        store.note({ who: name, act: `POST /hooks/${name}`, target, outcome, words });
      if (secret === undefined || secret === '' || !forge.isProven(request.headers, body, secret)) {
        if (service.nobodies.take(request.ip)) await note('denied', '', 'The signature is not that of the forge.');
        return answer(reply, 401, 'not signed by the forge');
      }
      const proposed = forge.proposed(request.headers, messageIn(body));
      if (proposed === undefined) return answer(reply, 202, 'not about a proposal');
      const { project: repository, request: number, commit } = proposed;
      const authors = [...new Set(proposed.authors)].filter((one) => one !== '');
      const saidAt = Date.parse(proposed.at);
      const age = options.world.now() - saidAt;
      if (!/^[1-9]\d{0,9}$/.test(number) || !isCommitId(commit) || !(Math.abs(age) <= freshMs))
        return answer(reply, 422, 'no proposal of today');
      const delivery = sha256(`${name} ${body}`);
      if (await store.isDelivered(delivery)) return answer(reply, 200, 'known already');
      const from = { platform: name, project: repository, at: momentIn({ now: () => saidAt }) };
      const plan = { kind: 'plan', commit, request: number, authors, ...(repository === '' ? {} : { from }) } as const;
      await queue.add(visitorOf(request).fleet.stacks.map(({ project, stack }) => ({ ...plan, project, stack })));
      // Whoever brings it again because it was not answered finds it known only when its jobs are there.
      await store.noteDelivery(delivery, freshMs * 2);
      await note('done', `request ${number}`, `plans of ${commit.slice(0, 12)} wait`);
      return answer(reply, 202, 'planned soon');
    });
  }
}

function messageIn(body: string): unknown {
  try {
    return readJson(body);
  } catch {
    return undefined;
  }
}

function isSame(given: string | readonly string[] | undefined, own: string): boolean {
  return typeof given === 'string' && isSameText(given, own);
}

function memberIn(given: unknown, name: string): unknown {
  return typeof given === 'object' && given !== null && Object.hasOwn(given, name)
    ? Reflect.get(given, name)
    : undefined;
}

function textIn(given: unknown, name: string): string {
  const value = memberIn(given, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
