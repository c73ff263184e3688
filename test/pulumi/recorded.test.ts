import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { Engine, type Members } from './engine.js';

/**
 * Calls of the real command line (v3.259, `PULUMI_DEBUG_GRPC`) and the answers it went on with: preview, up, up without a
 * change, up with two changes, refresh after an edit by hand, up, destroy of an API with a secret label, its page, a product and a lookup.
 * Ids and times are another platform's.
 * Since then an API shows an empty `implementationMode`: it was put into what the engine was told, and what it told again.
 */
interface Command {
  readonly command: string;
  readonly calls: readonly { readonly method: string; readonly request: Members; readonly response: Members }[];
}

const recorded = JSON.parse(
  await readFile(fileURLToPath(new URL('../../fixtures/pulumi/recorded.json', import.meta.url)), 'utf8'),
) as readonly Command[];

/** What is another one on each platform: ids and times. The mark of unknown values looks like an id and is none. */
const own = /(?!04da6b54-80e4)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Puts this platform's ids and times in place of the recorded ones, as far as answers told them. */
class Translation {
  readonly #own = new Map<string, string>();

  learn(then: unknown, now: unknown): void {
    const [old, mine] = [JSON.stringify(then).match(own) ?? [], JSON.stringify(now).match(own) ?? []];
    old.forEach((word, at) => this.#own.set(word, mine[at] ?? word));
  }

  apply<T>(value: T): T {
    return JSON.parse(JSON.stringify(value).replace(own, (word) => this.#own.get(word) ?? word)) as T;
  }
}

const kinds = ['ADD', 'ADD_REPLACE', 'DELETE', 'DELETE_REPLACE', 'UPDATE', 'UPDATE_REPLACE'];

/** The answer of this provider, in the words of a recording. */
async function answered(engine: Engine, method: string, request: Members): Promise<unknown> {
  const {
    urn = '',
    id = '',
    olds = {},
    news = {},
    oldInputs = {},
    inputs = {},
    properties = {},
  } = request as Record<string, never>;
  const preview = request['preview'] === true;
  switch (method) {
    case 'CheckConfig':
      return { inputs: (await engine.checkConfig(news)).inputs };
    case 'Configure':
      await engine.configure(request['args'] as Members);
      return { acceptSecrets: true, supportsPreview: true, acceptResources: true };
    case 'Check':
      return { inputs: (await engine.check(urn, news, olds)).inputs };
    case 'Diff':
    case 'DiffConfig': {
      const { changes, detailed } = await engine.diff(
        urn,
        { id, olds, oldInputs, news },
        method === 'Diff' ? 'diff' : 'diffConfig',
      );
      return {
        changes: `DIFF_${changes.toUpperCase()}`,
        detailed: Object.fromEntries(Object.entries(detailed).map(([path, kind]) => [path, kinds[kind]])),
      };
    }
    case 'Create': {
      const { id: made, outputs } = await engine.create(urn, properties, preview);
      return { ...(made === '' ? {} : { id: made }), properties: outputs };
    }
    case 'Read': {
      const seen = await engine.read(urn, id, inputs, properties);
      return { id: seen.id, properties: seen.outputs, inputs: seen.inputs };
    }
    case 'Update':
      return { properties: await engine.update(urn, { id, olds, oldInputs, news, preview }) };
    case 'Delete':
      await engine.delete(urn, { id, olds: properties, oldInputs });
      return {};
    case 'Invoke':
      return { return: (await engine.invoke(String(request['tok']), request['args'] as Members)).result };
    default:
      throw new Error(`no ${method}`);
  }
}

/** A recorded answer, as far as it is compared. */
function expectedOf(method: string, response: Members): unknown {
  if (method !== 'Diff' && method !== 'DiffConfig') return response;
  const detailed = Object.entries((response['detailedDiff'] ?? {}) as Record<string, { kind?: string }>);
  return {
    changes: response['changes'],
    detailed: Object.fromEntries(detailed.map(([path, { kind }]) => [path, kind ?? 'ADD'])),
  };
}

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true });
});
afterAll(() => sandbox.close());

it('what the real engine asked is answered as it was then', async () => {
  const translation = new Translation();
  let asked = 0;
  for (const { command, calls } of recorded) {
    if (command === 'refresh') {
      const api = calls.find(({ request }) => String(request['urn']).includes('Api::'))?.request['id'];
      const answer = await fetch(`${sandbox.url}/v3/apis/${translation.apply(String(api))}`, {
        method: 'PATCH',
        headers: { authorization: 'Bearer by-hand', 'content-type': 'application/json' },
        body: JSON.stringify({ version: '9' }),
      });
      expect(answer.status).toBe(200);
    }
    const engine = await Engine.start('platform', sandbox.url);
    try {
      for (const { method, request, response } of calls) {
        const now = await answered(engine, method, translation.apply(request));
        const then = expectedOf(method, response);
        translation.learn(then, now);
        expect(now, `${command}: ${method} ${String(request['urn'] ?? '')}`).toEqual(translation.apply(then));
        asked += 1;
      }
    } finally {
      await engine.close();
    }
  }
  expect(asked).toBeGreaterThan(50);
  expect([...new Set(recorded.flatMap(({ calls }) => calls.map(({ method }) => method)))].sort()).toEqual([
    'Check',
    'CheckConfig',
    'Configure',
    'Create',
    'Delete',
    'Diff',
    'DiffConfig',
    'Invoke',
    'Read',
    'Update',
  ]);
});

it('the recording holds no secret in clear beside its mark, and nothing of a machine', () => {
  const text = JSON.stringify(recorded);
  expect(text).not.toMatch(/\/(?:tmp|home|root|work)\/|127\.0\.0\.1|token/i);
  // Every answer marks it.
  for (const { response } of recorded.flatMap(({ calls }) => calls))
    for (const [, before = ''] of JSON.stringify(response).matchAll(/(.{0,120})"made-up-value"/g))
      expect(before).toContain('1b47061264138c4ac30d75fd1eb44270');
});
