import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { bareFiles, filesOfPlansOnly } from '@platform-sync/report/report-files';
import { noPlanReports, planReports } from '@platform-sync/report/reports';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const versionOf = (file: string, options = ''): string => `resources:
  pets:
    type: platform:Api
    children:
      v1:
        type: platform:ApiVersion
        properties:
          version: '1'
          specContent: !file ${file}
${options === '' ? '' : `        options: ${options}\n`}`;

const head = 'openapi: 3.0.3\ninfo:\n  title: Pets\n  version: "1"\n';
const right = `${head}paths: {}\n`;
const operation = (lines: readonly string[]): string =>
  `${head}paths:\n  /pets:\n    get:\n${lines.map((line) => `      ${line}\n`).join('')}`;
const answered = (schema: string): string =>
  operation([
    'responses:',
    '  "200":',
    '    description: ok',
    '    content:',
    '      application/json:',
    `        schema: ${schema}`,
  ]);
const dangling = answered("{ $ref: '#/components/schemas/Pet' }");

/** What is told, in short: severity, code and place. */
interface Told {
  readonly severity: string;
  readonly code: string;
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
}
const short = (found: readonly Told[]): readonly string[] =>
  found.flatMap(({ severity, code, place }) =>
    code === 'no-record'
      ? []
      : [`${severity} ${code} ${place?.file ?? ''}:${String(place?.line)}:${String(place?.column)}`],
  );

async function published(): Promise<readonly unknown[]> {
  return ((await world.call('GET', '/_sandbox/objects')).body as { versions: readonly unknown[] }).versions;
}

async function validated(): Promise<readonly string[]> {
  return short((await world.open((project) => project.validate())).diagnostics);
}

async function planned(): Promise<readonly string[]> {
  return short((await world.open((project) => project.plan())).diagnostics);
}

/** File, text, what is told; `specs/` stands before the file. */
const broken: readonly (readonly [string, string, string, string])[] = [
  ['a bracket that is never closed', 'a.yaml', `${head}paths: {\n`, 'no-specification catalogue/specs/a.yaml:5:8'],
  ['a tab that indents', 'a.yaml', `${head}paths:\n\t/pets: {}\n`, 'no-specification catalogue/specs/a.yaml:6:1'],
  ['a key twice', 'a.yaml', `${head}paths:\n  /a: {}\n  /a: {}\n`, 'no-specification catalogue/specs/a.yaml:7:3'],
  ['a second document', 'a.yaml', `${right}---\nopenapi: 3.0.3\n`, 'no-specification catalogue/specs/a.yaml:7:1'],
  ['an alias of nothing', 'a.yaml', `${head}paths: *all\n`, 'no-specification catalogue/specs/a.yaml:5:8'],
  [
    'an alias inside its anchor',
    'a.yaml',
    `${head}paths: &all\n  /a: *all\n`,
    'no-specification catalogue/specs/a.yaml:6:7',
  ],
  [
    'a version without quotes',
    'a.yaml',
    'openapi: 3.0\ninfo: {}\npaths: {}\n',
    'invalid-specification catalogue/specs/a.yaml:1:10',
  ],
  ['no version', 'a.yaml', 'openapi:\ninfo: {}\n', 'no-specification catalogue/specs/a.yaml:1:9'],
  ['no kind', 'a.yaml', 'info:\n  title: Pets\n', 'no-specification catalogue/specs/a.yaml:1:1'],
  ['no answers', 'a.yaml', operation(['summary: all']), 'invalid-specification catalogue/specs/a.yaml:7:5'],
  [
    'a wrong word',
    'a.yaml',
    operation(['responses: {}', 'summry: all']),
    'invalid-specification catalogue/specs/a.yaml:9:7',
  ],
  ['a wrong type', 'a.yaml', answered('{ type: strin }'), 'invalid-specification catalogue/specs/a.yaml:13:31'],
  [
    'a JSON file that ends early',
    'a.json',
    '{\n  "openapi": "3.0.3",\n  "info": {\n',
    'no-specification catalogue/specs/a.json:3:11',
  ],
  [
    'a comma too many in JSON',
    'a.json',
    '{\n  "openapi": "3.0.3",\n}\n',
    'no-specification catalogue/specs/a.json:3:1',
  ],
  [
    'JSON with a wrong value',
    'a.json',
    '{\n\t"openapi": "3.0.3",\n\t"info": {"title": 7, "version": "1"},\n\t"paths": {}\n}\n',
    'invalid-specification catalogue/specs/a.json:3:20',
  ],
  ['a reference to nothing', 'a.yaml', dangling, 'dangling-reference catalogue/specs/a.yaml:13:31'],
  [
    'a reference to itself',
    'a.yaml',
    `${right}components:\n  schemas:\n    A: { $ref: '#/components/schemas/B' }\n    B: { $ref: '#/components/schemas/A' }\n`,
    'dangling-reference catalogue/specs/a.yaml:8:16',
  ],
  [
    'a reference to no file',
    'a.yaml',
    answered('{ $ref: other.yaml }'),
    'dangling-reference catalogue/specs/a.yaml:13:31',
  ],
  [
    'a reference out of the project',
    'a.yaml',
    answered('{ $ref: ../../../secret.yaml }'),
    'dangling-reference catalogue/specs/a.yaml:13:31',
  ],
  [
    'the same, written otherwise',
    'a.yaml',
    answered("{ $ref: '..%2F..%2f..%2Fsecret.yaml#/a' }"),
    'dangling-reference catalogue/specs/a.yaml:13:31',
  ],
  [
    'an absolute path',
    'a.yaml',
    answered('{ $ref: /etc/hostname }'),
    'dangling-reference catalogue/specs/a.yaml:13:31',
  ],
  [
    'an address of a file',
    'a.yaml',
    answered("{ $ref: 'file:///etc/hostname' }"),
    'dangling-reference catalogue/specs/a.yaml:13:31',
  ],
  ['a file of secrets', 'a.yaml', answered('{ $ref: .env }'), 'dangling-reference catalogue/specs/a.yaml:13:31'],
  [
    'a reference of another file',
    'a.yaml',
    answered('{ $ref: ../../shared/pet.yaml#/Pet }'),
    'dangling-reference shared/pet.yaml:4:18',
  ],
  [
    'an AsyncAPI 2 of no channels',
    'a.yaml',
    'asyncapi: 2.6.0\ninfo: {title: a, version: "1"}\n',
    'invalid-specification catalogue/specs/a.yaml:1:1',
  ],
  [
    'an AsyncAPI 3 of a missing message',
    'a.yaml',
    "asyncapi: 3.0.0\ninfo: {title: a, version: '1'}\nchannels:\n  a:\n    messages:\n      m: { $ref: '#/components/messages/m' }\n",
    'dangling-reference catalogue/specs/a.yaml:6:18',
  ],
  [
    'a type of JSON Schema that there is not',
    'a.yaml',
    `openapi: 3.1.0\ninfo: {title: a, version: '1'}\ncomponents:\n  schemas:\n    A:\n      type: strin\n`,
    'invalid-specification catalogue/specs/a.yaml:6:13',
  ],
  [
    'a list of items in 3.1',
    'a.yaml',
    `openapi: 3.1.0\ninfo: {title: a, version: '1'}\ncomponents:\n  schemas:\n    A:\n      items: [{type: string}]\n`,
    'invalid-specification catalogue/specs/a.yaml:6:7',
  ],
  [
    'a webhook with a wrong word',
    'a.yaml',
    `openapi: 3.1.0\ninfo: {title: a, version: '1'}\nwebhooks:\n  born:\n    psot: {}\n`,
    'invalid-specification catalogue/specs/a.yaml:5:5',
  ],
  [
    'a parameter in no place',
    'a.yaml',
    operation(['parameters:', '  - {name: a, in: header, required: 7}', "responses: {'200': {description: ok}}"]),
    'invalid-specification catalogue/specs/a.yaml:9:11',
  ],
  [
    'a status that is none',
    'a.yaml',
    operation(['responses:', "  'ok': {}"]),
    'invalid-specification catalogue/specs/a.yaml:9:9',
  ],
  [
    'a title that is a number',
    'a.yaml',
    'openapi: 3.0.3\ninfo:\n  title: 7\n  version: "1"\npaths: {}\n',
    'invalid-specification catalogue/specs/a.yaml:3:10',
  ],
  [
    'paths that do not begin with a slash',
    'a.yaml',
    `${head}paths:\n  pets:\n    get: {}\n`,
    'invalid-specification catalogue/specs/a.yaml:6:3',
  ],
  [
    'a Swagger 2 parameter of a wrong type',
    'a.yaml',
    `swagger: '2.0'\ninfo: {title: a, version: '1'}\npaths:\n  /a:\n    get:\n      parameters:\n        - {name: a, in: query, type: bool}\n      responses: {'200': {description: ok}}\n`,
    'invalid-specification catalogue/specs/a.yaml:7:25',
  ],
  [
    'a Swagger 2 definition that is missing',
    'a.yaml',
    `swagger: '2.0'\ninfo: {title: a, version: '1'}\npaths:\n  /a:\n    get:\n      responses:\n        '200': {description: ok, schema: {$ref: '#/definitions/A'}}\n`,
    'dangling-reference catalogue/specs/a.yaml:7:49',
  ],
  [
    'an AsyncAPI 2 with a wrong word',
    'a.yaml',
    "asyncapi: 2.6.0\ninfo: {title: a, version: '1'}\nchannels:\n  a:\n    subscrbe: {}\n",
    'invalid-specification catalogue/specs/a.yaml:5:5',
  ],
  [
    'a discriminator without its property',
    'a.yaml',
    answered('{ discriminator: { mapping: { a: b } } }'),
    'invalid-specification catalogue/specs/a.yaml:13:25',
  ],
  [
    'an allOf that is no list',
    'a.yaml',
    answered('{ allOf: { type: string } }'),
    'invalid-specification catalogue/specs/a.yaml:13:25',
  ],
  [
    'a reference into a list that is shorter',
    'a.yaml',
    answered("{ $ref: '#/servers/3' }"),
    'dangling-reference catalogue/specs/a.yaml:13:31',
  ],
  [
    'line ends of Windows',
    'a.yaml',
    operation(['responses: {}', 'sumary: a']).replaceAll('\n', '\r\n'),
    'invalid-specification catalogue/specs/a.yaml:9:7',
  ],
];

/** As if each stood in a file of its own, whose name ends as its own does. */
const placedApart = broken.map(([name, file, text, expected], at) => {
  const own = `n${String(at).padStart(2, '0')}${file.slice(file.lastIndexOf('.'))}`;
  return { name, file: own, text, expected: expected.replace(`specs/${file}`, `specs/${own}`) };
});

/** What is told first of each file: a ring of references is told at each of them. */
function firstOfEach(told: readonly string[]): readonly string[] {
  const fileOf = (each: string): string => each.split(':')[0] ?? '';
  return told.filter((each, at) => told.findIndex((other) => fileOf(other) === fileOf(each)) === at).toSorted();
}

/** `error CODE FILE:LINE:COLUMN` as each report writes a place. */
function hasPlace(text: string, told: string): boolean {
  const [, name = '', line = ''] = /([\w.]+):(\d+):\d+$/.exec(told) ?? [];
  const between = String.raw`(?::|,line=|#L|" line="|"[^{}]*?"line": ?|"[^]{0,80}?"(?:startLine|begin)": ?)`;
  return new RegExp(`${name.replaceAll('.', '\\.')}${between}${line}\\b`).test(text);
}

describe('a broken specification is an error at its own place, wherever one looks, and is not published', () => {
  it('forty of them', async () => {
    expect(broken).toHaveLength(40);
    const resources = placedApart.map(({ file }, at) =>
      versionOf(`specs/${file}`)
        .replace('resources:\n', '')
        .replace('pets:', `p${String(at)}:`),
    );
    await world.write({
      'catalogue/all.yaml': `resources:\n${resources.join('')}`,
      ...Object.fromEntries(placedApart.map(({ file, text }) => [`catalogue/specs/${file}`, text])),
      'catalogue/specs/.env': 'SECRET=1\n',
      'shared/pet.yaml': 'Pet:\n  properties:\n    id: { type: string }\n    own: { $ref: "#/Owner" }\n',
    });
    const wanted = placedApart.map(({ expected }) => `error ${expected}`).sort();
    expect(firstOfEach(await validated())).toEqual(wanted);
    const { diagnostics } = await world.open((project) => project.plan());
    expect(firstOfEach(short(diagnostics))).toEqual(wanted);
    await expect(world.apply()).rejects.toThrow('no plan');
    expect(await published()).toEqual([]);
    const reports = noPlanReports({ diagnostics, engine: '1.0.0', project: 'shop', stack: 'prod' });
    const lacking = [...reports].flatMap(([name, text]) =>
      firstOfEach(wanted).every((each) => hasPlace(text, each)) ? [] : [name],
    );
    // A host shows ten annotations of a level, and what a later step reads has counts alone.
    const bare = bareFiles.filter((name) => !filesOfPlansOnly.includes(name));
    expect(lacking).toEqual(['github-annotations.txt', ...bare]);
    expect(reports.get('github-annotations.txt')).toMatch(/::and \d+ more, in the HTML report/);
  });

  it('before any warning, where there is no room for all', () => {
    const many = (severity: 'error' | 'warning', count: number, folder: string): readonly Diagnostic[] =>
      Array.from({ length: count }, (_, line) => ({
        ...{ severity, code: 'dangling-reference', summary: `"${String(line)}" ${'is not there '.repeat(20)}.` },
        place: { file: `${folder}/${String(line)}.yaml`, line: line + 1, column: 1 },
      }));
    const diagnostics = [...many('warning', 400, 'a'), ...many('error', 40, 'b')];
    const reports = noPlanReports({ diagnostics, engine: '1.0.0', project: 'shop', stack: 'prod' });
    const errors = many('error', 40, 'b').map(({ place }) => `error ${place?.file ?? ''}:${String(place?.line)}:1`);
    for (const name of ['plan.md', 'github-summary.md']) {
      const text = reports.get(name) ?? '';
      expect(errors.filter((each) => !hasPlace(text, each))).toEqual([]);
      if (name === 'plan.md') expect(text).toMatch(/… and \d+ more, in the HTML report/);
    }
    const html = reports.get('plan.html') ?? '';
    expect(diagnostics.filter(({ place }) => !html.includes(place?.file ?? ''))).toEqual([]);
  });

  it('also as a change of what is there', async () => {
    await world.write({ 'catalogue/all.yaml': versionOf('specs/a.yaml'), 'catalogue/specs/a.yaml': right });
    await world.apply();
    const before = await published();
    expect(before).toHaveLength(1);
    await world.write({ 'catalogue/all.yaml': versionOf('specs/a.yaml'), 'catalogue/specs/a.yaml': dangling });
    expect(await planned()).toEqual(['error dangling-reference catalogue/specs/a.yaml:13:31']);
    expect(await published()).toEqual(before);
  });

  it('as a text of the catalogue, at its line there', async () => {
    const text = dangling
      .split('\n')
      .map((line) => (line === '' ? '' : `            ${line}`))
      .join('\n');
    await world.write({ 'catalogue/all.yaml': versionOf('x').replace('!file x', `|\n${text}`) });
    expect(await validated()).toEqual(['error dangling-reference catalogue/all.yaml:22:43']);
    expect(await planned()).toEqual(['error dangling-reference catalogue/all.yaml:22:43']);
  });

  it('behind a variable and as the file of a source', async () => {
    await world.write({
      'catalogue/all.yaml': `variables:\n  spec: !file specs/a.yaml\n${versionOf('x').replace('!file x', '${spec}')}`,
      'catalogue/specs/a.yaml': dangling,
    });
    expect(await validated()).toEqual(['error dangling-reference catalogue/specs/a.yaml:13:31']);
    await world.write({
      'catalogue/all.yaml': 'sources:\n  specs: platform:Api\n',
      'catalogue/specs/a.yaml': dangling,
    });
    expect(await validated()).toEqual(['error dangling-reference catalogue/specs/a.yaml:13:31']);
    expect(await planned()).toEqual(['error dangling-reference catalogue/specs/a.yaml:13:31']);
  });
});

describe('whoever must publish a broken one says so', () => {
  const allowed = '{ allowBrokenSpecification: true }';

  it('which makes it a warning that plans carry, before and after', async () => {
    await world.write({ 'catalogue/all.yaml': versionOf('a.yaml', allowed), 'catalogue/a.yaml': dangling });
    expect(await validated()).toEqual(['warning dangling-reference catalogue/a.yaml:13:31']);
    const { plan } = await world.open((project) => project.plan());
    expect(short(plan?.notices ?? [])).toEqual(['warning dangling-reference catalogue/a.yaml:13:31']);
    await world.apply();
    expect(await published()).toHaveLength(1);
    const again = await world.open((project) => project.plan());
    expect(again.plan?.steps).toEqual([]);
    expect(short(again.plan?.notices ?? [])).toEqual(['warning dangling-reference catalogue/a.yaml:13:31']);
  });

  it('for that resource alone', async () => {
    await world.write({
      'catalogue/all.yaml': `${versionOf('a.yaml', allowed)}${versionOf('a.yaml')
        .replace(/^resources:\n/, '')
        .replace('pets:', 'cats:')}`,
      'catalogue/a.yaml': dangling,
    });
    const { diagnostics } = await world.open((project) => project.validate());
    expect(diagnostics.map(({ severity, address }) => `${severity} ${address ?? ''}`)).toEqual([
      'warning pets/v1',
      'error cats/v1',
    ]);
  });
});

describe('what is not a plan of the catalogue obeys the same', () => {
  const described = (file: string, text: string): string =>
    versionOf(file).replace('    children:', `    properties: { description: ${text} }\n    children:`);

  it('a revert publishes no broken one, and one of something else goes on', async () => {
    await world.write({ 'catalogue/all.yaml': described('specs/a.yaml', 'Pets'), 'catalogue/specs/a.yaml': right });
    await world.apply();
    const before = await published();
    const objects = (await world.call('GET', '/_sandbox/objects')).body as {
      apis: readonly { id: string; name: string }[];
      versions: readonly { id: string; content: string }[];
    };
    const id = objects.apis.find(({ name }) => name === 'pets')?.id ?? '';
    await world.call('PATCH', `/v3/apis/${id}`, { description: 'Cats' });
    const version = objects.versions[0]?.id ?? '';
    await world.call('PATCH', `/v3/apis/${id}/versions/${version}`, {
      spec: { content: right.replace('Pets', 'Cats') },
    });
    await world.write({ 'catalogue/all.yaml': described('specs/a.yaml', 'Pets'), 'catalogue/specs/a.yaml': dangling });
    const refused = await world.open((project) => project.revertDrift(['pets/v1']));
    expect(refused.plan).toBeUndefined();
    expect(short(refused.diagnostics)).toContain('error dangling-reference catalogue/specs/a.yaml:13:31');
    const other = await world.open((project) => project.revertDrift(['pets.description']));
    expect(other.plan?.steps.map(({ address }) => address)).toEqual(['pets']);
    expect(before).toHaveLength(1);
  });

  it('an adopted object that has a broken one is told of, without an error', async () => {
    const allowed = '{ allowBrokenSpecification: true }';
    await world.write({ 'catalogue/all.yaml': versionOf('a.yaml', allowed), 'catalogue/a.yaml': dangling });
    await world.apply();
    world.loseState();
    await world.write({ 'catalogue/all.yaml': versionOf('a.yaml'), 'catalogue/a.yaml': dangling });
    const { plan } = await world.open((project) => project.plan({ mode: 'adopt' }));
    expect(plan?.steps.map(({ action }) => action)).toEqual(['adopt', 'adopt']);
    expect(short(plan?.notices ?? [])).toContain('warning dangling-reference catalogue/a.yaml:13:31');
    expect(plan?.notices.map(({ hint }) => hint ?? '').join()).toContain('allowBrokenSpecification: true');
  });
});

describe('every report shows the place in the specification', () => {
  const placed =
    /catalogue\/specs\/a\.yaml:13(?::31)?|catalogue\/specs\/a\.yaml,line=13|file=catalogue\/specs\/a\.yaml,line=13|a\.yaml#L13|"startLine": ?13|"begin": ?13/;
  const placeless: readonly string[] = ['no-plan.json', ...bareFiles];
  const unplaced = (reports: ReadonlyMap<string, string>): readonly string[] =>
    [...reports].flatMap(([name, text]) => (placeless.includes(name) || placed.test(text) ? [] : [name]));

  it('of a plan that is refused', async () => {
    await world.write({ 'catalogue/all.yaml': versionOf('specs/a.yaml'), 'catalogue/specs/a.yaml': dangling });
    const { diagnostics } = await world.open((project) => project.plan());
    expect(unplaced(noPlanReports({ diagnostics, engine: '1.0.0', project: 'shop', stack: 'prod' }))).toEqual([]);
  });

  it('of a plan that publishes it all the same', async () => {
    const allowed = '{ allowBrokenSpecification: true }';
    await world.write({ 'catalogue/all.yaml': versionOf('specs/a.yaml', allowed), 'catalogue/specs/a.yaml': dangling });
    expect(unplaced(planReports(await world.plan()))).toEqual([]);
  });
});

describe('what is right is let through', () => {
  it.each<[string, string]>([
    [
      'a schema inside itself',
      `${right}components:\n  schemas:\n    A: { properties: { a: { $ref: '#/components/schemas/A' } } }\n`,
    ],
    [
      'a property that is called $ref',
      `${right}components:\n  schemas:\n    A: { properties: { $ref: { type: string } } }\n`,
    ],
    [
      'examples with references',
      `${right}components:\n  schemas:\n    A: { example: { $ref: '#/nowhere' } }\n  examples:\n    a: { value: { $ref: '#/nowhere' } }\n`,
    ],
    ['an extension with references', `${right}x-mine: { $ref: '#/nowhere' }\n`],
    ['a reference to the web', answered("{ $ref: 'https://example.com/pet.json' }")],
    [
      'anchors and merged keys',
      `x-all: &all { description: ok }\n${operation(['responses:', '  "200":', '    <<: *all', '  "404": *all'])}`,
    ],
    ...['3.0.3', '3.1.0'].map((version): [string, string] => [
      `a name of HTTP's in capitals, in ${version}`,
      `${right.replace('3.0.3', version)}components: { securitySchemes: { a: { type: http, scheme: Bearer, bearerFormat: JWT } } }\n`,
    ]),
    ['numbers that are too long for JSON', `${right}x-long: 12345678901234567890\n`],
    ['flow of YAML', '{ openapi: 3.0.3, info: { title: Pets, version: "1" }, paths: {} }'],
    [
      'names of JSON Schema',
      "openapi: 3.1.0\ninfo: { title: a, version: '1' }\ncomponents:\n  schemas:\n    A: { $anchor: a }\n    B: { $ref: '#a' }\n    C: { $id: 'https://example.com/c', $defs: { d: {} }, properties: { d: { $ref: '#/$defs/d' } } }\n",
    ],
    ['another file, in a ring', answered('{ $ref: ../shared/ring.yaml#/Pet }')],
    [
      'escaped names',
      `${operation(['responses:', '  "200": { description: ok }'])}  /cats:\n    $ref: '#/paths/~1pets'\n  /dogs:\n    $ref: '#/paths/%7E1pets'\n`,
    ],
  ])('%s', async (_name, text) => {
    await world.write({
      'catalogue/all.yaml': versionOf('a.yaml'),
      'catalogue/a.yaml': text,
      'shared/ring.yaml':
        'Pet:\n  properties:\n    pet: { $ref: "../catalogue/a.yaml#/paths" }\n    pets: { $ref: "./ring.yaml#/Pet" }\n',
    });
    expect(await validated()).toEqual([]);
    expect(await planned()).toEqual([]);
  });

  it.each(['3.2.0', '3.0.9', '4.0.0'])('version %s, with a warning', async (version) => {
    await world.write({
      'catalogue/all.yaml': versionOf('a.yaml'),
      'catalogue/a.yaml': right.replace('3.0.3', version),
    });
    expect(await validated()).toEqual(['warning unknown-specification-version catalogue/a.yaml:1:10']);
    const { plan } = await world.open((project) => project.plan());
    expect(short(plan?.notices ?? [])).toEqual(['warning unknown-specification-version catalogue/a.yaml:1:10']);
  });
});
