import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { JsonObject } from '@platform-sync/core/model/value';
import { realProgram, type RealProgram } from '../cli/real-program.js';
import { expectedProblems } from '../harness/expected-problems.js';
import { everyProperty, everyVariable, formNames } from './every-value.js';
import { startLanguageClient, type LanguageClient } from './language-client.js';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
let program: RealProgram;
let editor: LanguageClient;

beforeAll(async () => {
  program = await realProgram({ PLATFORM_TOKEN: 'any', ...everyVariable });
  await program.run('init', '--project', 'edited');
  editor = await startLanguageClient(program.folder, JSON.parse(await written('.vscode/settings.json')) as JsonObject);
});
afterAll(async () => {
  await editor.close();
  await program.close();
});

async function written(file: string): Promise<string> {
  return (await program.files()).get(file)?.toString() ?? `there is no ${file}`;
}

/** Lines that the editor underlines as errors, with what it says. */
async function underlined(file: string, text: string): Promise<readonly (readonly [number, string])[]> {
  const found = await editor.problems(file, text);
  return found.filter(({ severity }) => severity === 1).map(({ range, message }) => [range.start.line + 1, message]);
}

/** What `sync validate` told about a file. */
interface Told {
  readonly line: number;
  readonly code: string;
}

/** Fixtures that are no catalogue at all. */
const otherFiles = [
  ...['gateway-configuration', 'kubernetes-manifest', 'vendor-command-line-file', 'overlay-is-a-specification'],
  ...['merge-conflict', 'merge-conflict-in-settings', 'source-merge-conflict', 'merge-conflict-in-an-overlay'],
];

/** One slip, told by `sync validate` where the map begins that stands in a list; the editor underlines the list, too. */
const sameSlip = {
  'bad/yaml-list-over-map/catalogue/main.yaml': ['2: Incorrect type. Expected one of object, null.'],
};

/** What the editor underlines and `sync validate` does not: at that line, or above it where a bracket or quote is not closed. */
async function falseErrors(file: string, text: string, told: readonly Told[]): Promise<readonly string[]> {
  const isTold = (line: number): boolean =>
    told.some((each) => (each.code === 'yaml-syntax' ? each.line <= line : each.line === line));
  return (await underlined(file, text)).filter(([line]) => !isTold(line)).map((each) => each.join(': '));
}

describe('the editor underlines nothing that is right', () => {
  it('in what init and export write', async () => {
    await program.run('apply', '--yes');
    await program.run('export', '--out', 'catalogue/found');
    const files = await program.files();
    const names = [...files.keys()].filter((name) => /^(sync|catalogue\/.*)\.yaml$/.test(name));
    // Every sandbox has objects of many types.
    expect(names.length).toBeGreaterThan(100);
    expect(names).toContain('catalogue/found/hello.yaml');
    const wrong = await collected(names, async (name) =>
      (await underlined(name, files.get(name)?.toString() ?? '')).map((each) => each.join(': ')),
    );
    expect(wrong).toEqual({});
  });

  it('in any file of the fixtures, broken ones among them', async () => {
    const files = globSync(['**/*.{yaml,yml}'], {
      cwd: fixtures,
      // The last are files of something else, of which one error is told.
      ignore: ['plans/**', 'hostile/**', ...otherFiles.map((name) => `bad/${name}/**`)],
    });
    const told = (file: string): readonly Told[] => {
      const [kind, name = ''] = file.split('/');
      if (kind !== 'bad') return [];
      return expectedProblems(join(fixtures, 'bad', name, 'expected.txt')).flatMap((each) =>
        each.file !== undefined && file.endsWith(`/${each.file}`) ? [{ ...each, line: each.line ?? 0 }] : [],
      );
    };
    const wrong = await collected(files, (file) =>
      falseErrors(file, readFileSync(join(fixtures, file), 'utf8'), told(file)),
    );
    expect([files.length > 100, wrong]).toEqual([true, sameSlip]);
  });

  it('in any property of any type, however its value is written', async () => {
    let accepted = 0;
    const wrong = await collected(formNames, async (form) => {
      const [project, folder] = [everyProperty(form), form.replaceAll(/\W/g, '-')];
      await program.write(
        Object.fromEntries(Object.entries(project).map(([name, text]) => [`${folder}/${name}`, text])),
      );
      const { out } = await program.run('validate', '-C', folder, '--format', 'json');
      const { diagnostics } = JSON.parse(out) as { readonly diagnostics: readonly Diagnostic[] };
      const told = diagnostics.map(({ code, place }) => ({ code, line: place?.line ?? 0 }));
      const text = project['catalogue/all.yaml'] ?? '';
      accepted += text.split('\n').length - new Set(told.map(({ line }) => line)).size;
      return falseErrors(`${folder}/catalogue/all.yaml`, text, told);
    });
    expect([accepted > 4000, wrong]).toEqual([true, {}]);
  });
});

describe('settings of a project', () => {
  const everyTag = `project: shop
catalogue: catalogue/*.yaml
requestsPerMinute: 600
state: { backend: postgres, url: !env SYNC_STATE_URL }
adopt: byKey
guards: { maxDeletes: 3, allow: [{ guard: maxDeletes, reason: clean-up, until: 2030-01-31 }] }
drift: { webhook: !env SYNC_HOOK, secret: !env SYNC_KEY, format: slack, severity: { status: high } }
providers: { platform: { serverUrl: "https://a.example.com", personalAccessToken: !env TEAM }, cloud: }
stacks:
  dev:
    catalogue: !unset
    state: { backend: sqlite }
    adopt: !unset
    labels: !unset
    timing: !unset
    drift: !unset
    requestsPerMinute: !unset
    guards: { maxDeletes: !unset, allow: !unset }
    providers: { platform: { serverUrl: !unset, personalAccessToken: !unset }, cloud: !unset }
`;

  it('may be tagged wherever a tag may stand', async () => {
    await program.write({ 'tagged/sync.yaml': everyTag, 'tagged/catalogue/empty.yaml': 'resources: {}\n' });
    program.env = {
      ...program.env,
      SYNC_STATE_URL: 'postgres://u:p@h/d',
      SYNC_HOOK: 'https://h.example.com',
      SYNC_KEY: 'k',
    };
    const { code, out } = await program.run('validate', '-C', 'tagged', '--stack', 'dev');
    expect([code, out, await underlined('tagged/sync.yaml', everyTag)]).toEqual([
      0,
      expect.stringMatching('Valid'),
      [],
    ]);
  });

  it.each([
    ['providers:\n  platform:\n    ‸\n', ['serverUrl', 'personalAccessToken']],
    ['state:\n  backend: ‸\n', ['sqlite', 'postgres']],
    ['stacks:\n  dev:\n    ‸\n', ['concurrency', 'guards', 'state']],
  ])('are offered: %j', async (text, expected) => {
    expect(await offered('sync.yaml', `project: shop\n${text}`)).toEqual(expect.arrayContaining(expected));
  });
});

/** What is offered, without the tags, which are offered everywhere. */
async function offered(file: string, text: string): Promise<readonly string[]> {
  return (await editor.offers(file, text)).map(({ label }) => label).filter((label) => !label.startsWith('!'));
}

describe('the editor offers', () => {
  const resource = (lines: string): string => `resources:\n  shop:\n${lines}`;
  const lookup = (lines: string): string =>
    resource(`    type: platform:ApiProduct\n    properties:\n      portalIds:\n        - !lookup\n${lines}`);
  const types = [
    ...['Api', 'ApiDocument', 'ApiImplementation', 'ApiProduct', 'ApiProductDocument', 'ApiPublication', 'ApiVersion'],
    ...['ApplicationAuthStrategy', 'Portal', 'PortalAuth', 'PortalCustomDomain', 'PortalCustomization'],
    ...['PortalFavicon', 'PortalLogo', 'PortalPage', 'PortalSnippet', 'PortalTeam', 'PortalTeamRole'],
  ];

  const derived = (
    JSON.parse(readFileSync(new URL('../../schemas/types/platform/derived/index.json', import.meta.url), 'utf8')) as {
      names: string[];
    }
  ).names.map((name) => `platform:${name}`);

  it.each<readonly [string, string, readonly string[]]>([
    [
      'the sections of a file',
      '‸',
      ['defaults', 'variables', 'sources', 'resources', 'outputs', 'removed', 'moved', 'patches'],
    ],
    [
      'types',
      resource('    type: ‸\n'),
      [...types.map((name) => `platform:${name}`), 'cloud:endpoints:ServiceIamPolicy', ...derived],
    ],
    [
      'properties of the type',
      resource('    type: platform:Api\n    properties:\n      ‸\n'),
      ['attributes', 'description', 'labels', 'name', 'slug', 'specContent', 'version'],
    ],
    [
      'properties of another type, by its full name',
      resource('    type: platform:index/apiDocument:ApiDocument\n    properties:\n      ‸\n'),
      ['apiId', 'content', 'parentDocumentId', 'slug', 'status', 'title'],
    ],
    [
      'defaults',
      'defaults:\n  platform:ApiProduct:\n    ‸\n',
      ['description', 'labels', 'name', 'portalIds', 'publicLabels'],
    ],
    [
      'types that may stand below',
      resource('    type: platform:Api\n    children:\n      guide:\n        type: ‸\n'),
      ['platform:ApiDocument', 'platform:ApiImplementation', 'platform:ApiPublication', 'platform:ApiVersion'],
    ],
    [
      'values',
      resource('    type: platform:ApiDocument\n    properties:\n      status: ‸\n'),
      ['published', 'unpublished', 'null'],
    ],
    [
      'options',
      resource('    type: platform:Api\n    options:\n      ‸\n'),
      [
        'dependsOn',
        'protect',
        'ignoreChanges',
        'replaceOnChanges',
        'deleteBeforeReplace',
        'retainOnDelete',
        'import',
        'aliases',
        'moved',
        'allowBrokenSpecification',
      ],
    ],
    [
      'what goes with a lookup',
      lookup('          function: platform:getPortal\n          ‸\n'),
      ['arguments', 'return'],
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await offered('catalogue/typed.yaml', text)).toEqual(expected);
  });

  it('lookups, in a property and in a variable', async () => {
    for (const text of [lookup('          function: ‸\n'), 'variables:\n  portal: !lookup\n    function: ‸\n'])
      expect(await offered('catalogue/typed.yaml', text)).toEqual(
        expect.arrayContaining(['platform:getPortal', 'platform:getTeamList', 'cloud:endpoints:getServiceIamPolicy']),
      );
  });

  it('the arguments of the lookup that was named, and no others', async () => {
    const members = async (name: string): Promise<readonly string[]> =>
      offered(
        'catalogue/typed.yaml',
        lookup(`          function: ${name}\n          arguments:\n            filter:\n              ‸\n`),
      );
    expect(await members('platform:getPortal')).toEqual(expect.arrayContaining(['canonicalDomain', 'name']));
    expect(await members('platform:getTeam')).not.toContain('canonicalDomain');
  });

  it('the arguments, the fields and the operators of a lookup that follows from a type', async () => {
    const inside = (lines: string): Promise<readonly string[]> =>
      offered(
        'catalogue/typed.yaml',
        lookup(`          function: platform:getApiDocument\n          arguments:\n${lines}`),
      );
    expect(await inside('            ‸\n')).toEqual(expect.arrayContaining(['apiId', 'name', 'filter']));
    expect(await inside('            filter:\n              ‸\n')).toEqual(
      expect.arrayContaining(['id', 'slug', 'status', 'title']),
    );
    expect(await inside('            filter:\n              title:\n                ‸\n')).toEqual(
      expect.arrayContaining(['eq', 'neq', 'contains', 'oeq', 'ocontains']),
    );
  });

  it('what a property means', async () => {
    const text = resource('    type: platform:Api\n    properties:\n      ver‸sion: 1.0.0\n');
    expect(await editor.hover('catalogue/typed.yaml', text)).toMatch(/platform:Api.*Version of the API/);
  });
});

/** What was found by what it was found in, without those that have nothing. */
async function collected(
  names: readonly string[],
  find: (name: string) => Promise<readonly string[]>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const all = await Promise.all(names.map(async (name) => [name, await find(name)] as const));
  return Object.fromEntries(all.filter(([, found]) => found.length > 0));
}
