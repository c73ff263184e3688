import { Ajv2020 } from 'ajv/dist/2020.js';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSchema } from './format-problems.js';

const ajv = new Ajv2020({ allErrors: true, validateFormats: false, strictTypes: false, strictRequired: false });
const catalogue = ajv.compile(readSchema('catalogue.schema.json'));
const project = ajv.compile(readSchema('project.schema.json'));

// Editors see a tagged value as what stands behind the tag.
const untagged = (text: string): unknown => parse(text.replace(/!(?:file|env|secret|json|lookup|unset) ?/g, ''));

describe('the schema of catalogue files accepts', () => {
  test.each([
    ['nothing at all', ''],
    ['empty sections', 'resources:\nvariables:\noutputs:\ndefaults:\n'],
    [
      'sources',
      'sources: {specs: "platform:Api", docs: {type: "platform:ApiDocument", under: a, properties: {status: published}}}',
    ],
    ['a resource whose type a source has', 'resources: {a: {properties: {name: b}}}'],
    ['the full token', 'resources: {a: {type: "platform:index/api:Api"}}'],
    ['children three levels deep', catalogueText()],
    [
      'a reference where a pattern or list stands',
      'resources: {p: {type: "platform:ApiProduct", properties: {name: "${a.b}", portalIds: "${x}"}}}',
    ],
    ['a reference inside a list', 'resources: {p: {type: "platform:ApiProduct", properties: {portalIds: ["${x}"]}}}'],
    ['a call', 'resources: {a: {type: "platform:Api", properties: {attributes: {"fn::readFile": "a.yaml"}}}}'],
    [
      'a lookup in a variable',
      'variables: {p: !lookup {function: "platform:getPortal", arguments: {filter: {name: {eq: dev}}}}}',
    ],
    [
      'a lookup for a list',
      'resources: {p: {type: "platform:ApiProduct", properties: {portalIds: [!lookup {function: "platform:getPortal", return: id}]}}}',
    ],
    [
      'options',
      'resources: {a: {type: "platform:Api", options: {protect: true, dependsOn: [b], import: {api_id: a, id: b}}}}',
    ],
    [
      'patches of an overlay',
      'patches: {a: {properties: {version: "2"}, options: {protect: true}}, a/b: !unset , c: {properties: {name: !unset }}}',
    ],
    ['defaults', 'defaults: {"platform:Api": {labels: {team: a}}}'],
  ])('%s', (_name, text) => {
    expect(catalogue(untagged(text))).toBe(true);
  });
});

describe('the schema of catalogue files refuses', () => {
  test.each([
    ['an unknown section', 'resource: {}'],
    ['a type in a patch', 'patches: {a: {type: "platform:Api"}}'],
    ['an unknown type', 'resources: {a: {type: "platform:Apy"}}'],
    ['a source without a type', 'sources: {specs: {under: petstore}}'],
    ['a source of a type that no file stands for', 'sources: {specs: "platform:ApiProduct"}'],
    ['an unknown property', 'resources: {a: {type: "platform:Api", properties: {titel: a}}}'],
    ['a computed property', 'resources: {a: {type: "platform:Api", properties: {createdAt: a}}}'],
    ['a missing required property', 'resources: {a: {type: "platform:ApiDocument", properties: {content: a}}}'],
    ['no properties where some are required', 'resources: {a: {type: "platform:ApiProduct"}}'],
    [
      'a child that cannot stand there',
      'resources: {a: {type: "platform:Api", children: {b: {type: "platform:ApiProduct", properties: {portalIds: []}}}}}',
    ],
    [
      'children of a type that has none',
      'resources: {a: {type: "platform:ApiImplementation", properties: {apiId: x}, children: {b: {type: "platform:Api"}}}}',
    ],
    ['a wrong value', 'resources: {a: {type: "platform:Api", properties: {slug: "a b"}}}'],
    ['an unknown function', 'resources: {a: {type: "platform:Api", properties: {name: {"fn::upper": a}}}}'],
    [
      'an operator the member has not',
      'resources: {a: {type: "platform:Api", properties: {name: !lookup {function: "platform:getTeam", arguments: {filter: {name: {neq: a}}}}}}}',
    ],
    ['an unknown option', 'resources: {a: {type: "platform:Api", options: {protected: true}}}'],
    ['a bad key', 'resources: {"a.b": {type: "platform:Api"}}'],
  ])('%s', (_name, text) => {
    expect(catalogue(untagged(text))).toBe(false);
  });
});

describe('the schema of sync.yaml', () => {
  test.each([
    ['project: payments', true],
    [
      '{project: payments, state: {backend: sqlite, path: a.db}, guards: {maxDeletes: 3, allow: [{guard: maxDeletes, reason: clean-up}]}}',
      true,
    ],
    [
      '{project: payments, state: {backend: postgres, url: !env SYNC_STATE_URL}, requestsPerMinute: 600, concurrency: 4}',
      true,
    ],
    [
      '{project: payments, providers: {platform: {serverUrl: "https://a"}, cloud: {}}, stacks: {prod: {concurrency: 2}, dev: }}',
      true,
    ],
    ['{project: payments, providers: {platform: {personalAccessToken: !env MY_TOKEN}}}', true],
    ['{project: payments, catalogue: apis/*.yaml, state: {path: a.db}}', true],
    [
      '{project: payments, parameters: {region: {type: string, default: eu, allowed: [eu], secret: false}, size: }, stacks: {prod: {parameters: {region: us}}}}',
      true,
    ],
    ['{project: payments, overlays: a.yaml, stacks: {prod: {overlays: [b.yaml]}}}', true],
    ['{project: payments, parameters: {region: eu}}', false],
    ['{project: payments, parameters: {region: {type: text}}}', false],
    ['{project: payments, parameters: {a.b: {}}}', false],
    ['{project: payments, concurrency: 257}', false],
    ['catalogue: [a]', false],
    ['project: Payments', false],
    ['{project: payments, state: {backend: postgres}}', false],
    ['{project: payments, state: {backend: sqlite, url: a}}', false],
    ['{project: payments, providers: {platform: {url: a}}}', false],
    ['{project: payments, stacks: {prod: {project: a}}}', false],
    ['{project: payments, guards: {allow: [{guard: maxDeletes}]}}', false],
  ])('%s → %s', (text, accepted) => {
    expect(project(untagged(text))).toBe(accepted);
  });
});

test('the example project obeys the editor schemas', () => {
  const folder = new URL('../../fixtures/example/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  for (const file of files.filter((each) => /^(?:sync|catalogue\/[^/]+)\.ya?ml$/.test(each))) {
    const validate = file === 'sync.yaml' ? project : catalogue;
    validate(untagged(readFileSync(new URL(file, folder), 'utf8')));
    expect(validate.errors ?? [], file).toEqual([]);
  }
});

function catalogueText(): string {
  return `
resources:
  petstore:
    type: platform:Api
    properties: {name: Petstore, attributes: {domain: [pets]}, specContent: !file specs/petstore.yaml}
    children:
      guide:
        type: platform:ApiDocument
        properties: {content: !file docs/guide.md, status: published}
        children:
          more: {type: platform:ApiDocument, properties: {content: "\${petstore.name}"}}
      gateway:
        type: platform:ApiImplementation
        properties: {controlPlaneReference: {controlPlane: {id: "\${controlPlane.id}"}}}
`;
}
