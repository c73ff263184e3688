import { writtenFiles, type SecretValues } from './random-secrets.js';

type Files = Readonly<Record<string, string>>;

/** What an author takes the secret for, and is right about. */
export const guess = 'zzzzzzzzzz';

/** Contents of every kind: the guess itself, something else, and what is no value of the parameters' types. */
export const contents: readonly SecretValues[] = [
  { ONE: guess, TWO: guess, SYNC_VAR_TOKEN: guess, SYNC_VAR_LEVEL: '7', SYNC_VAR_TABLE: `{"k1":"${guess}"}` },
  {
    ONE: 'another one',
    TWO: '9',
    SYNC_VAR_TOKEN: 'true',
    SYNC_VAR_LEVEL: '3e9',
    SYNC_VAR_TABLE: '{"zz":{"k2":"x y z"}}',
  },
  { ONE: '[1, 2]', TWO: '', SYNC_VAR_TOKEN: 'two\nlines: {"a":1}', SYNC_VAR_LEVEL: 'none', SYNC_VAR_TABLE: 'no map' },
];

/** What the proposals below change: a shelf whose pin and notes are secrets, under rules that know the guess. */
export function guessedAt(server: string): Files {
  const plain = { name: undefined, import: undefined, slot: undefined, alias: undefined, protect: false };
  const nullable = { description: 'D.', nullable: true };
  const hidden = { secret: true };
  return writtenFiles(
    {
      fields: {
        topic: { ...nullable, limits: { enum: ['a', guess] } },
        pin: { ...nullable, ...hidden, limits: { pattern: '^[a-z]' } },
        count: { ...nullable, type: 'integer', limits: { minimum: 5 } },
        tags: { ...nullable, type: { list: 'string' }, size: [0, 2] },
        notes: { ...nullable, type: { map: 'string' } },
      },
      ...{ unique: [['pin']], maxDeletes: 5, outputs: [] },
      parameters: { token: hidden, level: { ...hidden, type: 'number' }, table: { ...hidden, type: 'map' } },
      resources: { first: { ...plain, properties: { pin: '!env ONE', notes: '"${param.table}"' } } },
    },
    server,
  );
}

const catalogue = (text: string): Files => ({ 'catalogue/main.yaml': text.replaceAll('GUESS', guess) });
const shelf = (properties: string, more = ''): Files =>
  catalogue(`resources: {first: {type: acme:Shelf, properties: {${properties}}${more}}}`);
const shelves = (properties: string): Files =>
  catalogue(
    `resources: {first: {type: acme:Shelf, properties: {name: first}}, other: {type: acme:Shelf, ${properties}}}`,
  );
const outputs = (text: string): Files =>
  catalogue(`resources: {first: {type: acme:Shelf, properties: {name: first, pin: !env ONE}}}\noutputs: ${text}`);

/** Where a file's own words are told again, right or wrong. */
export const quoted: Readonly<Record<string, Files>> = {
  'a key': catalogue('resources: {GUESS: {type: acme:Shelf, properties: {name: 3}}}'),
  'a field': shelf('name: a, GUESS: 1'),
  'a type': catalogue('resources: {a: {type: acme:GUESS, properties: {name: a}}}'),
  'a provider': catalogue('resources: {a: {type: GUESS:Shelf, properties: {name: a}}}'),
  'an option': shelf('name: a', ', options: {GUESS: 1}'),
  'a reference': shelf('name: "${GUESS.id}"'),
  'a parameter': shelf('name: "${param.GUESS}"'),
  'a function': catalogue('variables: {v: !lookup {function: "acme:GUESS", arguments: {}}}'),
  'a tag': shelf('name: !GUESS a'),
  'broken YAML': catalogue('resources: {a: {type: acme:Shelf, GUESS: *GUESS}}'),
  'a file': shelf('name: !file GUESS'),
  'a setting': { 'sync.yaml': `{"project": "shop", "${guess}": 1}` },
  'a limit of the base': shelf('name: a, topic: b'),
  'a value': shelf('name: first, topic: GUESS, tags: [GUESS], notes: {GUESS: GUESS}'),
  'a name of an output': outputs('{GUESS: !env ONE}'),
};

/** Where a rule, an operator or a place of the file would answer what a secret holds. */
export const asked: Readonly<Record<string, Files>> = {
  'a list of values': shelf('name: first, topic: !env ONE'),
  'a number': shelf('name: first, count: !env TWO'),
  'a number that a parameter holds': shelf('name: first, count: "${param.level}"'),
  'a number that a text holds': shelf('name: first, count: "${param.token}"'),
  'a list': shelf('name: first, tags: !env ONE'),
  'how many entries there are': shelf('name: first, tags: [!env ONE, "${param.table}"]'),
  'equal entries': shelf('name: first, tags: [!env ONE, GUESS]'),
  'a member': shelf('name: first, pin: "${param.table.k1}"'),
  'a member of a member': shelf('name: first, pin: "${param.table.zz.k2}"'),
  'a member that is not there': shelf('name: first, pin: "${param.table.none}"'),
  'a place of a list': catalogue(
    'variables: {v: [!env ONE]}\nresources: {first: {type: acme:Shelf, properties: {name: first, pin: "${v[0].a}"}}}',
  ),
  'a key of a map': shelf('name: first, notes: {"${param.token}": x}'),
  'a merged map': shelf('name: first, notes: {<<: "${param.table}", a: b}'),
  'a separator': shelf('name: first, pin: {fn::join: [!env ONE, [GUESS]]}'),
  'joined entries': shelf('name: first, pin: {fn::join: [",", "${param.table}"]}'),
  JSON: shelf('name: first, pin: !json {a: "${param.table}", b: "${param.level}", c: !env ONE}'),
  'an anchor': shelf('name: first, pin: &a !env ONE, topic: *a, count: *a, tags: [*a, *a], notes: {x: *a}'),
  defaults: catalogue(
    'defaults: {acme:Shelf: {topic: !env ONE, count: !env ONE}}\nresources: {first: {type: acme:Shelf, properties: {name: first}}}',
  ),
  'a name': shelves('properties: {name: !env ONE}'),
  'a name beside the guess': catalogue(
    'resources: {a: {type: acme:Shelf, properties: {name: !env ONE}}, b: {type: acme:Shelf, properties: {name: GUESS}}}',
  ),
  'a unique field': shelves('properties: {name: other, pin: GUESS}'),
  'an id': shelves('properties: {name: q}, options: {import: "s${param.level}"}'),
  'an alias': shelves('properties: {name: q}, options: {aliases: ["${param.token}"]}'),
  'a path': shelf('name: first, topic: !file "${param.token}"'),
  'a name of a variable': shelf('name: first, pin: !env "${param.token}"'),
  'a lookup': shelf('name: first, topic: !lookup {function: "acme:getShelf", arguments: {name: !env ONE}, return: id}'),
  'a filter': shelf(
    'name: first, topic: !lookup {function: "acme:getShelf", arguments: {filter: {pin: {eq: GUESS}}}, return: id}',
  ),
  outputs: outputs('{a: "${first.pin}", b: !env ONE, c: "${param.table}", d: {x: !env TWO}, e: ["${param.level}"]}'),
  'other secrets in its place': shelf('name: first, pin: !env TWO, notes: {a: !env ONE}'),
  'a new key': catalogue(
    'resources: {z: {type: acme:Shelf, properties: {name: first, pin: !env TWO}, options: {aliases: [first]}}}',
  ),
};
