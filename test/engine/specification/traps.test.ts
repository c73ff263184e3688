import { beforeEach, describe, expect, it, vi } from 'vitest';
import { structuredReader } from '@platform-sync/report/diff/structured-text';
import { planText } from '@platform-sync/report/text/plan';
import { plainStyle } from '@platform-sync/report/text/style';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import type { World } from '../../harness/world.js';

/** Stands at the end of every specification here: a text that holds it was parsed as a whole. */
const marker = 'x-the-end';
const parsed = vi.hoisted(() => ({ whole: 0 }));

/** A parser that counts the specifications it is given. */
function counting<T extends object>(parser: T): T {
  const counted = Object.entries(parser).map(([name, member]): [string, unknown] => {
    // Classes are made with `new`, and get their texts by methods of their own.
    if (typeof member !== 'function' || /^[A-Z]/.test(name)) return [name, member];
    const call = (...values: readonly unknown[]): unknown => {
      if (
        values.some(
          (value) => typeof value === 'string' && /^[{"\s]*(?:openapi|asyncapi|swagger)[^]*x-the-end/.test(value),
        )
      )
        parsed.whole += 1;
      return Reflect.apply(member, undefined, values);
    };
    return [name, Object.assign(call, member)];
  });
  return Object.assign({}, parser, Object.fromEntries(counted));
}

vi.mock('yaml', async (original) => counting(await original<object>()));
vi.mock('js-yaml', async (original) => counting(await original<object>()));
const parseJson = JSON.parse;
beforeEach(() => {
  parsed.whole = 0;
  JSON.parse = (text, reviver) => {
    if (text.startsWith('{"openapi"') && text.includes(marker)) parsed.whole += 1;
    return parseJson(text, reviver) as unknown;
  };
  return () => {
    JSON.parse = parseJson;
  };
});

let world: World;
freshWorlds((made) => (world = made));

const open = (kind: string): string => `${kind}\ninfo: {title: Pets, version: '1'}\n`;
const answer = (schema: string): string =>
  `responses: {'200': {description: ok, content: {application/json: {schema: ${schema}}}}}`;
const text = (kind: string, ...lines: readonly string[]): string =>
  `${open(kind)}${lines.join('\n')}\n${marker}: true\n`;
const old = 'openapi: 3.0.3';
const newer = 'openapi: 3.1.0';
const words = 'All that is to be said about it, which is a lot. '.repeat(50);

interface Trap {
  readonly text: string;
  /** An edit, and what it means for callers. */
  readonly edit: readonly [from: string, to: string, meaning: string];
  /** An edit that breaks the specification; the error stands at what is written there. */
  readonly broken: readonly [from: string, to: string, at: string];
}

/** JSON with a path a line. */
const large = (kind: string, count: number, more: object): string => {
  const operation = { ...more, responses: { 200: { description: 'ok' } } };
  const paths = Object.fromEntries(Array.from({ length: count }, (_, at) => [`/p${at}`, { get: operation }]));
  const [, version] = kind.split(': ');
  const document = { openapi: version, info: { title: 'Pets', version: '1' }, paths, [marker]: true };
  return JSON.stringify(document).replaceAll(',"/p', ',\n"/p');
};

const traps: Readonly<Record<string, Trap>> = {
  'a file of 5 MB': {
    text: large(old, 2000, { description: words }),
    edit: ['"/p1999":{"get":', '"/p1999":{"put":', 'breaks clients: GET /p1999 is removed'],
    broken: ['"/p1999":{"get":', '"/p1999":{"gat":', '"gat"'],
  },
  '2,000 operations': {
    text: large(newer, 2000, {}),
    edit: ['"/p7":', '"/p7/{id}":', 'breaks clients: GET /p7 is removed'],
    broken: ['"/p1999":{"get":{', '"/p1999":{"get":{"tags":7,', '"tags":7'],
  },
  'circular references': {
    text: text(
      old,
      `paths: {/pets: {get: {${answer("{$ref: '#/components/schemas/Pet'}")}}}}`,
      'components:',
      '  schemas:',
      "    Pet: {type: object, properties: {name: {type: string}, mother: {$ref: '#/components/schemas/Pet'}, owner: {$ref: '#/components/schemas/Owner'}}}",
      "    Owner: {type: object, properties: {pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}, age: {type: integer}}}",
    ),
    edit: ['age: {type: integer}', 'age: {type: string}', 'answer 200: owner.age answers another type'],
    broken: [
      "{pets: {type: array, items: {$ref: '#/components/schemas/Pet'}",
      "{pets: {type: array, items: {$ref: '#/components/schemas/Pat'}",
      "'#/components/schemas/Pat'",
    ],
  },
  'anchors of YAML': {
    text: text(
      old,
      'x-base: &base',
      `  ${answer('&pet {type: object, required: [id], properties: {id: {type: string}}}')}`,
      'paths:',
      '  /pets: {get: {<<: *base, operationId: a}}',
      `  /cats: {get: {operationId: b, ${answer('*pet')}}}`,
    ),
    edit: ['required: [id], ', '', 'GET /cats: answer 200: id may be missing'],
    broken: [`operationId: b, ${answer('*pet')}`, `operationId: b, ${answer('*pat')}`, '*pat'],
  },
  'OpenAPI 3.1 with JSON Schema': {
    text: text(
      newer,
      `paths: {/pets: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}, responses: {'204': {description: ok}}}}}`,
      'components:',
      '  schemas:',
      '    Pet:',
      '      $defs: {size: {type: integer, exclusiveMinimum: 0}}',
      '      type: [object, "null"]',
      "      properties: {kind: {const: pet}, size: {$ref: '#/components/schemas/Pet/$defs/size'}, at: {prefixItems: [{type: number}, {type: number}]}}",
      '      if: {properties: {kind: {const: pet}}}',
      '      then: {required: [size]}',
      '      patternProperties: {"^x-": {type: string}}',
    ),
    edit: ['exclusiveMinimum: 0', 'exclusiveMinimum: 5', 'request body: size accepts less'],
    broken: ['type: [object, "null"]', 'type: [objekt]', '[objekt]'],
  },
  webhooks: {
    text: text(
      newer,
      'webhooks:',
      '  born:',
      '    post:',
      '      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}',
      "      responses: {'204': {description: ok}}",
    ),
    edit: ['properties: {name: {type: string}}', 'properties: {}', 'POST webhook born: request body: name is removed'],
    broken: ["responses: {'204': {description: ok}}", "responses: {'204': {descripton: ok}}", "'204':"],
  },
  'AsyncAPI 2': {
    text: text(
      'asyncapi: 2.6.0',
      'channels:',
      '  orders:',
      '    subscribe:',
      '      message: {name: order, payload: {type: object, properties: {id: {type: string}}}}',
    ),
    edit: ['properties: {id: {type: string}}', 'properties: {}', 'id is removed'],
    broken: ['    subscribe:', '    subscrbe:', 'subscrbe:'],
  },
  'AsyncAPI 3': {
    text: text(
      'asyncapi: 3.0.0',
      'channels: {orders: {address: orders, messages: {order: {payload: {type: object, properties: {id: {type: string}}}}}}}',
      "operations: {send: {action: send, channel: {$ref: '#/channels/orders'}}}",
    ),
    edit: ['properties: {id: {type: string}}', 'properties: {}', 'id is removed'],
    broken: ['action: send', 'action: sent', 'sent'],
  },
  'Swagger 2': {
    text: text(
      'swagger: "2.0"',
      'paths:',
      '  /pets:',
      '    post:',
      "      parameters: [{in: body, name: pet, schema: {$ref: '#/definitions/Pet'}}, {in: query, name: dry, type: boolean}]",
      "      responses: {'200': {description: ok, schema: {$ref: '#/definitions/Pet'}}}",
      'definitions: {Pet: {type: object, properties: {id: {type: string}}}}',
    ),
    edit: ['{id: {type: string}}', '{}', 'answer 200: id is removed'],
    broken: ['type: boolean', 'type: bool', 'bool'],
  },
  discriminators: {
    text: text(
      old,
      `paths: {/pets: {get: {${answer("{$ref: '#/components/schemas/Pet'}")}}}}`,
      'components:',
      '  schemas:',
      "    Pet: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}}",
      '    Cat: {type: object, properties: {kind: {type: string}, lives: {type: integer}}}',
      '    Dog: {type: object, properties: {kind: {type: string}, tail: {type: integer}}}',
    ),
    edit: [', tail: {type: integer}', '', 'answer 200: tail is removed'],
    broken: ['propertyName: kind, ', '', 'discriminator:'],
  },
  'chains of allOf': {
    text: text(
      old,
      `paths: {/pets: {get: {${answer("{$ref: '#/components/schemas/S30'}")}}}}`,
      'components:',
      '  schemas:',
      '    S0: {type: object, required: [p0], properties: {p0: {type: string}}}',
      ...Array.from(
        { length: 30 },
        (_, at) =>
          `    S${at + 1}: {allOf: [{$ref: '#/components/schemas/S${at}'}, {type: object, properties: {p${at + 1}: {type: string}}}]}`,
      ),
    ),
    edit: ['required: [p0], ', '', 'answer 200: p0 may be missing'],
    broken: ["{allOf: [{$ref: '#/components/schemas/S0'}", "{allOf: {$ref: '#/components/schemas/S0'", 'S1:'],
  },
  nullable: {
    text: text(old, `paths: {/pets: {get: {${answer('{type: object, properties: {name: {type: string}}}')}}}}`),
    edit: ['name: {type: string}', 'name: {type: string, nullable: true}', 'answer 200: name answers another type'],
    broken: ['name: {type: string}', "name: {type: string, nullable: 'yes'}", "'yes'"],
  },
  'external files': {
    text: text(
      old,
      `paths: {/pets: {$ref: 'parts/paths.yaml#/pets'}, /cats: {get: {${answer("{$ref: 'parts/cat.yaml'}")}}}}`,
    ),
    edit: ['/cats: {get: {', '/lions: {get: {', 'breaks clients: GET /cats is removed'],
    broken: ["'parts/cat.yaml'", "'parts/cot.yaml'", "'parts/cot.yaml'"],
  },
};

const parts = {
  'specs/parts/paths.yaml': `pets: {get: {${answer("{$ref: 'cat.yaml'}")}}}\n`,
  'specs/parts/cat.yaml': "type: object\nproperties: {mother: {$ref: '#'}}\n",
};
const keyOf = (name: string): string => name.replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/^\d/, '_$&');
const fileOf = (name: string): string => `${keyOf(name)}.${/MB|2,000/.test(name) ? 'json' : 'yaml'}`;
const catalogue = `resources:\n${Object.keys(traps)
  .map(
    (name) =>
      `  ${keyOf(name)}: {type: platform:Api, properties: {name: ${keyOf(name)}}, children: {v1: {type: platform:ApiVersion, properties: {specContent: !file ../specs/${fileOf(name)}}}}}\n`,
  )
  .join('')}`;

async function write(change: (trap: Trap) => string): Promise<void> {
  const files = Object.entries(traps).map(([name, trap]) => [`specs/${fileOf(name)}`, change(trap)]);
  await world.write({ 'catalogue/all.yaml': catalogue, ...parts, ...Object.fromEntries(files) });
}

const edited = ({ text: own, edit: [from, to] }: Trap): string => own.replace(from, to);
const broken = ({ text: own, broken: [from, to] }: Trap): string => own.replace(from, to);

describe('twelve traps of specifications', () => {
  it('are right as they are, and each edit of one is a change of that one alone', { timeout: 60_000 }, async () => {
    expect(traps['a file of 5 MB']?.text.length).toBeGreaterThan(5_000_000);
    await write((trap) => trap.text);
    expect((await world.open((project) => project.validate())).diagnostics).toEqual([]);
    await world.apply();
    parsed.whole = 0;
    expect((await world.plan()).steps).toEqual([]);
    expect(parsed.whole).toBe(0);

    await write((trap) => (trap === traps['nullable'] ? edited(trap) : trap.text));
    expect((await world.plan()).steps.map(({ address }) => address)).toEqual(['nullable/v1']);
    const ofOne = parsed.whole;
    expect(ofOne).toBeGreaterThan(0);

    await write(edited);
    const plan = await world.plan();
    expect(plan.steps.map(({ address, action }) => `${action} ${address}`).sort()).toEqual(
      Object.keys(traps)
        .map((name) => `update ${keyOf(name)}/v1`)
        .sort(),
    );
    const report = planText(plan, { style: plainStyle, read: await structuredReader(plan) });
    for (const [name, { edit }] of Object.entries(traps)) expect(report, name).toContain(edit[2]);
  });

  it('are told at the place where they are wrong', async () => {
    await write(broken);
    const { diagnostics } = await world.open((project) => project.validate());
    const told = diagnostics.map(({ severity, place }) => `${severity} ${place?.file ?? ''}:${String(place?.line)}`);
    const wanted = Object.entries(traps).map(([name, trap]) => {
      const own = broken(trap);
      const at = own.indexOf(trap.broken[2]);
      expect(at, name).toBeGreaterThan(0);
      return `error specs/${fileOf(name)}:${String(own.slice(0, at).split('\n').length)}`;
    });
    expect(told.sort()).toEqual(wanted.sort());
  });
});
