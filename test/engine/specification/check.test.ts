import { describe, expect, it } from 'vitest';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

/** What `validate` says of a text that a version of an API has as its specification. */
async function told(specContent: string): Promise<readonly string[]> {
  await world.write({
    'catalogue/all.yaml': `resources:
  pets:
    type: platform:Api
    children:
      v1:
        type: platform:ApiVersion
        properties:
          version: '1'
          specContent: !file spec.txt
`,
    'catalogue/spec.txt': specContent,
  });
  const { diagnostics } = await world.open((project) => project.validate());
  return diagnostics.map(({ severity, code, summary }) => `${severity} ${code}: ${summary}`);
}

const info = { title: 'Pets', version: '1' };
const json = (document: object): string => JSON.stringify(document);
const responses = { 200: { description: 'ok' } };

describe('a specification that is right is not spoken of', () => {
  it.each<[string, string]>([
    ['OpenAPI 3.0, YAML', 'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\n'],
    ['OpenAPI 3.1', json({ openapi: '3.1.0', info, paths: { '/pets': { get: { responses } } } })],
    ['OpenAPI 3.1 with webhooks alone', json({ openapi: '3.1.1', info, webhooks: {} })],
    ['OpenAPI 2', json({ swagger: '2.0', info, paths: { '/pets': { get: { responses } } } })],
    [
      'OpenAPI 2 with limits of old drafts',
      json({
        ...{ swagger: '2.0', info, paths: {} },
        definitions: {
          Pet: { type: 'object', properties: { age: { type: 'integer', minimum: 0, exclusiveMinimum: true } } },
        },
      }),
    ],
    ['AsyncAPI 2', json({ asyncapi: '2.4.0', info, channels: { pets: { subscribe: { message: { payload: {} } } } } })],
    ['AsyncAPI 3', json({ asyncapi: '3.0.0', info, channels: { pets: { address: 'pets' } } })],
    [
      'AsyncAPI with bindings of a protocol',
      json({ asyncapi: '2.6.0', info, channels: { pets: { bindings: { kafka: { topic: 'pets' } } } } }),
    ],
    [
      'a number that JSON can not hold',
      'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths: {}\nx-id: 12345678901234567890\n',
    ],
  ])('%s', async (_name, text) => {
    expect(await told(text)).toEqual([]);
  });
});

describe('of one that is wrong the first place is told, as a warning', () => {
  const invalid = (kind: string, what: string): string =>
    `warning invalid-specification: specContent of pets/v1 is not valid ${kind}: ${what}.`;
  it.each<[string, string, string]>([
    ['no paths', json({ openapi: '3.0.3', info }), invalid('OpenAPI 3.0', 'at its top, "paths" is missing')],
    [
      'no responses',
      json({ openapi: '3.0.3', info, paths: { '/pets': { get: {} } } }),
      invalid('OpenAPI 3.0', 'at /paths/~1pets/get, "responses" is missing'),
    ],
    [
      'no version, OpenAPI 3.1',
      json({ openapi: '3.1.0', info: { title: 'Pets' }, paths: {} }),
      invalid('OpenAPI 3.1', 'at /info, "version" is missing'),
    ],
    [
      'an unknown word, OpenAPI 2',
      json({ swagger: '2.0', info, paths: {}, servers: [] }),
      invalid('OpenAPI 2', 'at its top, "servers" is not known'),
    ],
    ['no channels', json({ asyncapi: '2.0.0', info }), invalid('AsyncAPI 2', 'at its top, "channels" is missing')],
    [
      'another kind of value',
      json({ asyncapi: '3.0.0', info: { ...info, title: 7 } }),
      invalid('AsyncAPI 3', 'at /info/title, there must be string'),
    ],
    [
      'no specification',
      'nothing of the kind',
      'warning no-specification: specContent of pets/v1 is neither YAML nor JSON of a specification.',
    ],
    [
      'a kind that nobody knows',
      json({ openapi: '9.0.0', info }),
      'warning no-specification: specContent of pets/v1 has no openapi, swagger or asyncapi of a known version at its top.',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await told(text)).toEqual([expected]);
  });
});

describe('what the platform says of a specification that it took', () => {
  const remark = /ApiVersion "1" \(.*\): the platform took it, and says: The text is neither an OpenAPI nor/;

  it('is told after apply, and once more when others change it', async () => {
    await told('nothing of the kind');
    const { diagnostics } = await world.apply();
    expect(diagnostics.map(({ code, summary }) => `${code} ${summary}`)).toEqual([
      expect.stringMatching(new RegExp(`^remarked ${remark.source}`)),
    ]);
    const objects = (await world.call('GET', '/_sandbox/objects')).body as Record<string, readonly { id: string }[]>;
    await world.call('POST', `/_sandbox/objects/versions/${String(objects['versions']?.[0]?.id)}`, {
      content: 'something else',
    });
    const drift = await world.open((project) => project.drift());
    expect(drift.findings.map(({ field }) => field)).toEqual(['specContent']);
    expect(drift.diagnostics.map(({ summary }) => summary).join()).toMatch(remark);
  });
});
