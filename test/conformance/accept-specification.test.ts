import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { driftMetrics } from '@platform-sync/report/ci/prometheus';
import { driftMarkdown } from '@platform-sync/report/markdown/drift';
import { driftText } from '@platform-sync/report/text/drift';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';
import { partOf } from '../harness/part-of-table.js';
import { driftHtml, githubAnnotations, planCodeQuality, planHtml, planMarkdown, planSarif } from '../report/forms.js';

let world: World;
freshWorlds((made) => (world = made));

/** The document of each kind as YAML, and what somebody changes in it on the platform. */
const kinds: Readonly<Record<string, readonly [yaml: string, from: string, to: string]>> = {
  'OpenAPI 2': [
    '# ours\nswagger: "2.0"\ninfo: {title: Pets, version: "1.0"} # what it is\npaths:\n  /pets:\n    get:\n      summary: All pets # in words\n      responses: {200: {description: ok}}\n',
    'All pets',
    'Each pet',
  ],
  'OpenAPI 3.0': [
    '# ours\nopenapi: 3.0.3\ninfo:\n  title: Pets\n  version: "1.0"\npaths:\n  /pets:\n    # about it\n    get: {summary: All pets, responses: {"200": {description: ok}}}\n',
    'All pets',
    'Each pet: also "dogs"',
  ],
  'OpenAPI 3.1': [
    'openapi: 3.1.0\ninfo: {title: Pets, version: "1.0"}\n# none yet\npaths: {}\nwebhooks:\n  born: {post: {description: A birth, responses: {"200": {description: ok}}}}\n',
    'A birth',
    'A birth # at last',
  ],
  'AsyncAPI 2': [
    'asyncapi: 2.6.0\ninfo: {title: Pets, version: "1.0"}\nchannels:\n  # who comes\n  born:\n    subscribe: {summary: Births, message: {payload: {type: object}}}\n',
    'Births',
    'All births',
  ],
  'AsyncAPI 3': [
    'asyncapi: 3.0.0\ninfo:\n  title: Pets\n  version: "1.0"\nchannels:\n  born: {address: born, description: Births} # one\n',
    'Births',
    'All births',
  ],
};

const asJson = (yaml: string): string => `${JSON.stringify(parse(yaml), null, 4)}\n`;
const indented = (text: string, by: string): string => text.trimEnd().replaceAll(/^(?=.)/gm, by);

/** How the file spells it; `file`: the one that holds the text, where that is not the catalogue's own. */
interface Form {
  readonly file?: string;
  readonly isJson: boolean;
  /** The value as it stands in the catalogue. */
  readonly value: (text: string) => string;
}

const forms: Readonly<Record<string, Form>> = {
  'a block of text': { isJson: false, value: (text) => `|\n${indented(text, '            ')}` },
  'a quoted text': { isJson: true, value: (text) => JSON.stringify(text) },
  'a file of YAML': { file: 'specs/pets.yaml', isJson: false, value: () => '!file specs/pets.yaml' },
  'a file of JSON': { file: 'specs/pets.json', isJson: true, value: () => '!file specs/pets.json' },
};

const owners = {
  Api: (value: string) =>
    `resources:\n  pets: # the pets\n    type: platform:Api\n    properties:\n      name: Pets\n      specContent: ${value}\n`,
  ApiVersion: (value: string) =>
    `resources:\n  pets: # the pets\n    type: platform:Api\n    properties: {name: Pets}\n    children:\n      v1:\n        type: platform:ApiVersion\n        properties:\n          specContent: ${value}\n`,
};

type Owner = keyof typeof owners;

const cases = Object.keys(kinds).flatMap((kind) =>
  Object.keys(forms).flatMap((form) =>
    (['Api', 'ApiVersion'] as const).flatMap((owner) =>
      ['YAML', 'JSON'].map((edited) => [kind, form, owner, edited] as const),
    ),
  ),
);

async function files(): Promise<Readonly<Record<string, string>>> {
  const folder = join(world.folder, 'catalogue');
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = names
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const;
    });
  return Object.fromEntries(await Promise.all(texts));
}

async function rows(): Promise<readonly JsonObject[]> {
  return ((await world.call('GET', '/_sandbox/objects')).body as { versions: readonly JsonObject[] }).versions;
}

async function editAll(content: string): Promise<void> {
  for (const { id } of await rows()) await world.call('POST', `/_sandbox/objects/versions/${String(id)}`, { content });
}

const read = (text: string, isJson: boolean): Json => (isJson ? JSON.parse(text) : parse(text)) as Json;

/** What stands in the catalogue now, read as its kind of file is. */
function content(all: Readonly<Record<string, string>>, { file, isJson }: Form, owner: Owner): Json {
  if (file !== undefined) return read(all[file] ?? '', isJson);
  const { resources } = parse(all['all.yaml'] ?? '') as {
    resources: {
      pets: { properties: { specContent?: string }; children?: { v1: { properties: { specContent: string } } } };
    };
  };
  const { pets } = resources;
  const text = owner === 'Api' ? pets.properties.specContent : pets.children?.v1.properties.specContent;
  return read(text ?? '', isJson);
}

describe('what others did to a specification goes into the file, in the way the file spells it', () => {
  it.each(partOf(cases, 3))('%s as %s of an %s, edited as %s', async (kind, formName, owner, edited) => {
    const [text, from, to] = kinds[kind] ?? ['', '', ''];
    const form = forms[formName] as Form;
    const own = form.isJson ? asJson(text) : text;
    const catalogue = owners[owner](form.value(own));
    const beside = { 'catalogue/docs/other.md': '# Text\n' };
    await world.write({
      ...beside,
      'catalogue/all.yaml': catalogue,
      ...(form.file === undefined ? {} : { [`catalogue/${form.file}`]: own }),
    });
    await world.apply();
    const before = await files();
    const document = parse(text) as Json;
    const wanted = JSON.parse(JSON.stringify(document).replace(JSON.stringify(from), JSON.stringify(to))) as Json;
    expect(wanted).not.toEqual(document);
    await editAll(edited === 'JSON' ? JSON.stringify(wanted) : text.replace(from, JSON.stringify(to)));

    const drift = await world.open((project) => project.drift());
    const address = owner === 'Api' ? 'pets' : 'pets/v1';
    expect(drift.findings.map((found) => [found.address, found.field])).toEqual([[address, 'specContent']]);
    const plan = await world.plan();
    expect(plan.steps.map(({ action, cause }) => [action, cause])).toEqual([['update', 'drift']]);
    const reports = {
      text: driftText(drift, plainStyle),
      markdown: driftMarkdown(drift),
      html: driftHtml(drift),
      json: JSON.stringify(drift),
      plan: planText(plan, { style: plainStyle }),
      planMarkdown: planMarkdown(plan),
      planHtml: planHtml(plan),
      sarif: planSarif(plan),
      annotations: githubAnnotations(plan),
      codeQuality: planCodeQuality(plan),
    };
    for (const [name, report] of Object.entries(reports)) expect(report, name).toContain('specContent');
    for (const name of ['text', 'markdown', 'html', 'plan', 'planMarkdown', 'planHtml'] as const)
      expect(reports[name], name).toContain(to.split(/[ :"]/)[0]);
    expect(driftMetrics(drift)).toMatch(/\} 1$/m);

    const accepted = await world.open((project) => project.acceptDrift([address]));
    expect(accepted.diagnostics.map(({ summary }) => summary)).toEqual([]);
    const after = await files();
    const written = form.file ?? 'all.yaml';
    expect(accepted.files).toEqual([`catalogue/${written}`]);
    expect({ ...after, [written]: '' }).toEqual({ ...before, [written]: '' });
    expect(content(after, form, owner)).toEqual(wanted);
    // Comments of a file stay, whatever the platform spells.
    if (form.file !== undefined && !form.isJson)
      expect(after[written]?.match(/# (?!at last).*/g)).toEqual(text.match(/# .*/g));
    expect((await world.plan()).steps).toEqual([]);
    await world.apply();
    expect((await world.open((project) => project.drift())).findings).toEqual([]);
  });
});

const shared = `resources:
  pets: {type: platform:Api, properties: {name: Pets}, children: {v1: {type: platform:ApiVersion, properties: {specContent: !file specs/pets.yaml}}}}
  cats: {type: platform:Api, properties: {name: Cats, specContent: !file specs/pets.yaml}}
`;

describe('one file that two resources read', () => {
  const [text, from, to] = kinds['OpenAPI 3.0'] ?? ['', '', ''];
  const changed = text.replace(from, JSON.stringify(to));

  it('is written where both were changed alike', async () => {
    await world.write({ 'catalogue/all.yaml': shared, 'catalogue/specs/pets.yaml': text });
    await world.apply();
    await editAll(changed);
    const accepted = await world.open((project) => project.acceptDrift(['pets/v1', 'cats']));
    expect(accepted.skipped).toEqual([]);
    expect((await files())['specs/pets.yaml']).toBe(changed);
    expect((await world.plan()).steps).toEqual([]);
  });

  it.each(['pets/v1', 'cats'])('stays as it is where only one is accepted: %s', async (address) => {
    await world.write({ 'catalogue/all.yaml': shared, 'catalogue/specs/pets.yaml': text });
    await world.apply();
    const before = await files();
    await editAll(changed);
    const accepted = await world.open((project) => project.acceptDrift([address]));
    expect(accepted.skipped.map(({ why }) => why)).toEqual([
      'the edit of catalogue/all.yaml would change more than this value; the files were restored',
    ]);
    expect(await files()).toEqual(before);
  });

  it('stays as it is where each was changed in another way', async () => {
    await world.write({ 'catalogue/all.yaml': shared, 'catalogue/specs/pets.yaml': text });
    await world.apply();
    const before = await files();
    for (const [at, { id }] of (await rows()).entries())
      await world.call('POST', `/_sandbox/objects/versions/${String(id)}`, {
        content: text.replace(from, `Number ${at}`),
      });
    const accepted = await world.open((project) => project.acceptDrift(['pets/v1', 'cats']));
    expect(accepted.accepted).toEqual([]);
    expect(await files()).toEqual(before);
  });
});

it('a text that is no specification is written as it is', async () => {
  await world.write({
    'catalogue/all.yaml': owners.ApiVersion('!file specs/pets.yaml'),
    'catalogue/specs/pets.yaml': kinds['OpenAPI 3.0']?.[0] ?? '',
  });
  await world.apply();
  await editAll('{not: [closed');
  const accepted = await world.open((project) => project.acceptDrift(['pets/v1']));
  expect(accepted.accepted).toHaveLength(1);
  expect((await files())['specs/pets.yaml']).toBe('{not: [closed\n');
  expect((await world.plan()).steps).toEqual([]);
});

it.each([
  ['is named itself', owners.ApiVersion('!file specs/public.yaml'), 'pets/v1'],
  ['lies beside it in a source', 'sources: {specs: platform:Api}\n', 'pets/version'],
])('a specification with an overlay that %s is left to its author', async (_name, catalogue, address) => {
  const overlay = 'overlay: 1.0.0\nextends: pets.yaml\nactions: [{target: $.info, update: {x-public: true}}]\n';
  await world.write({
    'catalogue/all.yaml': catalogue,
    'catalogue/specs/pets.yaml': kinds['OpenAPI 3.0']?.[0] ?? '',
    'catalogue/specs/public.yaml': overlay,
  });
  await world.apply();
  const [{ content: published } = { content: '' }] = await rows();
  expect(published).toContain('x-public: true');
  const before = await files();
  await editAll(String(published).replace('All pets', 'Each pet'));
  const accepted = await world.open((project) => project.acceptDrift([address]));
  expect(accepted.accepted).toEqual([]);
  expect(accepted.skipped.map(({ why }) => why)).toEqual([
    'the overlay catalogue/specs/public.yaml is part of it: change it, or the specification, by hand',
  ]);
  expect(await files()).toEqual(before);
});
