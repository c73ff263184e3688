import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSchema } from './format-problems.js';

/** Each construct of sync.yaml and of catalogue files: what an editor takes, and what it underlines. */

const ajv = new Ajv2020({ allErrors: true, validateFormats: false, strictTypes: false, strictRequired: false });
const catalogue = ajv.compile(readSchema('catalogue.schema.json'));
const settings = ajv.compile(readSchema('project.schema.json'));

// Editors see a tagged value as what stands behind the tag.
const untagged = (text: string): unknown => parse(text.replace(/!(?:file|env|secret|json|lookup|unset) ?/g, ''));

interface Construct {
  readonly right: readonly string[];
  readonly wrong: readonly string[];
}

const inSettings: Readonly<Record<string, Construct>> = {
  'parameters of a project': {
    right: [
      'parameters: { region: }',
      'parameters: { region: { description: Where, type: string, default: eu, allowed: [eu, us] } }',
      'parameters: { size: { type: number, default: 3 }, on: { type: boolean, default: true } }',
      'parameters: { names: { type: list, default: [a] }, hosts: { type: map, default: { a: b } } }',
      'parameters: { key: { secret: true } }',
    ],
    wrong: [
      'parameters: [region]',
      'parameters: { region: eu }',
      'parameters: { region: { type: text } }',
      'parameters: { region: { defaults: eu } }',
      'parameters: { region: { allowed: eu } }',
      'parameters: { region: { secret: sometimes } }',
      'parameters: { a.b: { default: eu } }',
    ],
  },
  'values of parameters in a stack': {
    right: ['stacks: { prod: { parameters: { region: us, size: 3, names: [a], key: !env KEY } } }'],
    wrong: ['stacks: { prod: { parameters: [us] } }', 'stacks: { prod: { parameter: { region: us } } }'],
  },
  'overlays, of a stack and of all': {
    right: ['overlays: a.yaml', 'overlays: [a.yaml, b/*.yaml]', 'stacks: { prod: { overlays: [prod.yaml] } }'],
    wrong: ['overlays: { prod: a.yaml }', 'overlays: [3]', "overlays: ['']", 'stacks: { prod: { overlay: a.yaml } }'],
  },
};

const inCatalogues: Readonly<Record<string, Construct>> = {
  'patches of an overlay': {
    right: [
      'patches: { pets: { properties: { version: "2.0", labels: { team: a } } } }',
      'patches: { pets/guide: { options: { protect: true } } }',
      'patches: { pets: { properties: { description: !unset } } }',
    ],
    wrong: [
      'patches: [pets]',
      'patches: { pets: { type: platform:Api } }',
      'patches: { pets: { property: {} } }',
      'patches: { pets: { options: { protected: true } } }',
      'patches: { pets: gone }',
      'patches: { pets..guide: { properties: {} } }',
    ],
  },
  'a resource that is switched off': {
    right: ['patches: { pets: !unset , pets/guide: !unset }'],
    wrong: ['patches: { pets: off }', 'patches: { pets: false }', 'resources: { pets: off }'],
  },
  'defaults of a type': {
    right: ['defaults: { platform:Api: { labels: { team: a } }, platform:ApiDocument: { status: published } }'],
    wrong: [
      'defaults: { platform:Apy: { labels: { team: a } } }',
      'defaults: { platform:Api: { label: { team: a } } }',
      'defaults: { platform:Api: { createdAt: now } }',
      'defaults: { platform:ApiDocument: { status: publisht } }',
      'defaults: { platform:Api: [labels] }',
    ],
  },
  sources: {
    right: [
      'sources: { specs: platform:Api }',
      'sources: { docs: { type: platform:ApiDocument, under: pets, properties: { status: published } } }',
      'sources: { "teams/*/specs/*.yaml": { type: platform:Api, properties: { description: !unset } } }',
      'sources: { ../versions: platform:ApiVersion, pages: platform:PortalPage }',
    ],
    wrong: [
      'sources: [specs]',
      'sources: { specs: platform:Apy }',
      'sources: { specs: platform:ApiProduct }',
      'sources: { specs: { under: pets } }',
      'sources: { specs: { type: platform:Api, below: pets } }',
      'sources: { specs: { type: platform:Api, under: [pets] } }',
    ],
  },
  'what is let go of': {
    right: ['removed: [pets, pets/guide]', 'removed: []', 'removed:'],
    wrong: ['removed: pets', 'removed: { pets: true }', 'removed: [3]', 'removed: [a..b]', 'remove: [pets]'],
  },
  'what comes from outside': {
    right: [
      'resources: { pets: { type: platform:Api, properties: { name: "${param.name}", labels: { stack: "${stack}" } } } }',
      'variables: { all: "${param.names}" }',
      'outputs: { id: "${pets.id}" }',
      'variables: { id: !lookup { function: stack:getOutput, arguments: { stack: shared, name: id }, return: value } }',
    ],
    wrong: [
      'variables: { id: !lookup { function: stack:getOutputs, arguments: { stack: shared, name: id } } }',
      'variables: { id: !lookup { function: stack:getOutput, arguments: { stacks: shared, name: id } } }',
    ],
  },
};

describe.each([
  ['sync.yaml', inSettings, (text: string): boolean => settings(untagged(`project: shop\n${text}`))],
  ['catalogue files', inCatalogues, (text: string): boolean => catalogue(untagged(text))],
] as const)('the schema of %s knows', (_file, constructs, accepts) => {
  it.each(Object.entries(constructs))('%s', (_name, { right, wrong }) => {
    expect(right.filter((text) => !accepts(text))).toEqual([]);
    expect(wrong.filter(accepts)).toEqual([]);
  });
});
