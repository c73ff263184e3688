import type { FieldDefinition, TypeDefinition } from '@platform-sync/kit/index';

/** A definition with one thing wrong. */
export interface Mutant {
  readonly definition: TypeDefinition;
  readonly kind: 'rule' | 'path' | 'identity' | 'paging' | 'secret' | 'shape';
  /** What was done to it. */
  readonly damage: string;
}

type Draft = { -readonly [K in keyof TypeDefinition]: TypeDefinition[K] };
type Rows = Record<string, unknown>;

/** Every damage that can be done to a definition in one place. Ones that change nothing are not among them. */
export function mutantsOf(definition: TypeDefinition): readonly Mutant[] {
  const original = JSON.stringify(definition);
  const found: Mutant[] = [];
  const damage = (kind: Mutant['kind'], what: string, change: (draft: Draft) => void): void => {
    const draft = JSON.parse(original) as Draft;
    change(draft);
    if (JSON.stringify(draft) !== original)
      found.push({ definition: draft, kind, damage: `${definition.name}: ${what}` });
  };
  for (const name of Object.keys(definition.fields)) fieldDamages(definition, name, damage);
  for (const name of Object.keys(definition.outputs ?? {})) outputDamages(name, damage);
  pathDamages(definition, damage);
  identityDamages(definition, damage);
  pagingDamages(damage);
  shapeDamages(definition, damage);
  return found;
}

type Damage = (kind: Mutant['kind'], what: string, change: (draft: Draft) => void) => void;

function fieldDamages(definition: TypeDefinition, name: string, damage: Damage): void {
  const row = (kind: Mutant['kind'], what: string, change: (rows: Rows) => void): void =>
    damage(kind, `${name} ${what}`, ({ fields }) => change(fields[name] as Rows));
  const own: FieldDefinition = definition.fields[name] ?? {};
  // What stands in the path replaces whatever its row says.
  const isPlace = definition.operations.create.includes(`{${name}}`);
  if (!isPlace) {
    if (own.replaces === undefined && own.kind !== 'specification')
      row('rule', 'replaces', (rows) => (rows['replaces'] = true));
    else if (definition.operations.update !== undefined)
      row('rule', 'does not replace', (rows) => {
        delete rows['replaces'];
        rows['kind'] = 'prose';
      });
    row('rule', 'is write-only, or is not', (rows) => {
      rows['writeOnly'] = own.writeOnly !== true && own.kind !== 'specification';
    });
    // What must be declared is never cleared.
    if (definition.required?.includes(name) !== true)
      row('rule', 'is cleared otherwise', (rows) => {
        const isKept = own.clearing?.by === 'nothing' || own.kind === 'specification';
        rows['clearing'] = isKept ? { by: 'value', value: 'damaged' } : { by: 'nothing', why: 'damaged' };
      });
    if (own.members === undefined) row('rule', 'travels under another name', (rows) => (rows['wire'] = `${name}_`));
    row('rule', 'is left out of what is sent', (rows) => (rows['members'] = { a: 'b' }));
    row('rule', 'is of another type', (rows) => {
      delete rows['kind'];
      rows['type'] = own.type === 'number' ? 'string' : 'number';
    });
    row('rule', 'travels as an object with an id, or does not', (rows) => {
      if (own.as === undefined) rows['as'] = 'id-object';
      else delete rows['as'];
    });
    if (own.type === undefined || typeof own.type === 'object')
      row('rule', 'may hold nothing', (rows) => {
        rows['type'] = 'string';
        rows['size'] = [0, 0];
      });
    if (own.inList === false) row('rule', 'is in lists', (rows) => delete rows['inList']);
    if (own.nullable === true) row('rule', 'is never null', (rows) => (rows['nullable'] = false));
    if (own.nullIsValue === true) row('rule', 'does not know null', (rows) => delete rows['nullIsValue']);
  }
  damage('rule', `${name} is not known`, (draft) => {
    draft.fields = Object.fromEntries(Object.entries(draft.fields).filter(([field]) => field !== name));
    draft.always = [];
    draft.required = (draft.required ?? []).filter((field) => field !== name);
  });
  damage('rule', `${name} cannot be declared`, (draft) => {
    const { [name]: moved = {}, ...fields } = draft.fields;
    draft.fields = fields;
    draft.outputs = { ...draft.outputs, [name]: moved };
    draft.required = (draft.required ?? []).filter((field) => field !== name);
  });
  damage('identity', `${name} is in the key, or is not`, (draft) => {
    const { naturalKey } = draft;
    draft.naturalKey = naturalKey.includes(name) ? naturalKey.filter((field) => field !== name) : [...naturalKey, name];
  });
  damage('rule', `${name} is required, or is not`, (draft) => {
    const required = draft.required ?? [];
    draft.required = required.includes(name) ? required.filter((each) => each !== name) : [...required, name];
  });
  row('secret', 'is secret, or is not', (rows) => (rows['secret'] = own.secret !== true));
  if (own.diesWith === true) row('rule', 'outlives what it lives in', (rows) => delete rows['diesWith']);
  if (own.exposure !== undefined) row('rule', 'hides nothing', (rows) => delete rows['exposure']);
}

/** What people declare, and what the service adds. */
function outputDamages(name: string, damage: Damage): void {
  damage('rule', `${name} can be declared`, (draft) => {
    const { [name]: moved = {}, ...outputs } = draft.outputs ?? {};
    draft.fields = { ...draft.fields, [name]: moved };
    draft.outputs = outputs;
    draft.always = [];
  });
}

function pathDamages({ operations, list }: TypeDefinition, damage: Damage): void {
  for (const [call, text] of Object.entries(operations)) {
    if (typeof text !== 'string') continue;
    const change = (what: string, to: string): void =>
      damage('path', `${call} ${what}`, (draft) => {
        draft.operations = { ...draft.operations, [call]: to };
      });
    change('goes elsewhere', text.replace(/\/([a-z][a-z-]+)(?=[/{]|$)/, '/$1s'));
    change('has a segment more', `${text}/more`);
    change(
      'has another method',
      text.replace(/^\w+/, (method) => (method === 'GET' ? 'DELETE' : 'GET')),
    );
    change('loses its last segment', text.replace(/\/[^/]+$/, ''));
    change(
      'is of another version',
      text.replace(/\/v(\d)\//, (_, version) => `/v${Number(version) + 4}/`),
    );
    change('has its parameters in another order', turned(text));
    if (call !== 'create')
      damage('path', `${call} is not there`, (draft) => {
        draft.operations = Object.fromEntries(
          Object.entries(draft.operations).filter(([name]) => name !== call),
        ) as unknown as Draft['operations'];
      });
    if (text.startsWith('PATCH ') && call === 'update') change('puts', text.replace('PATCH', 'PUT'));
  }
  if (list === undefined) return;
  damage('path', 'the list lies elsewhere', (draft) => (draft.list = { ...list, get: `${list.get}-all` }));
  damage('path', 'the list is an item', (draft) => (draft.list = { ...list, get: `${list.get}/list` }));
}

/** `/a/{y}/b/{x}` of `/a/{x}/b/{y}`. */
function turned(path: string): string {
  const names = [...path.matchAll(/\{\w+\}/g)].map(([name]) => name).reverse();
  let at = 0;
  return path.replace(/\{\w+\}/g, () => names[at++] ?? '');
}

function identityDamages({ naturalKey, unique = [] }: TypeDefinition, damage: Damage): void {
  damage('identity', 'the key is another field', (draft) => {
    const other = Object.keys(draft.fields).find(
      (name) => !naturalKey.includes(name) && draft.fields[name]?.nullable === true,
    );
    draft.naturalKey = [other ?? naturalKey[0] ?? ''];
  });
  if (unique.length > 0) damage('identity', 'what is unique is not', (draft) => (draft.unique = unique.slice(1)));
  damage(
    'identity',
    'more is unique',
    (draft) => (draft.unique = [...unique, [Object.keys(draft.fields).at(-1) ?? '']]),
  );
  damage('identity', 'the import id has another form', (draft) => (draft.importId = 'damaged/{id}'));
  damage('identity', 'it lives in nothing that is known', (draft) => (draft.parent = 'nowhere'));
  damage('identity', 'the id is a field', (draft) => {
    const to = Object.keys(draft.fields).at(-1) ?? '';
    const text = JSON.stringify(draft.operations).replaceAll('{id}', `{${to}}`);
    draft.operations = JSON.parse(text) as Draft['operations'];
  });
  damage('identity', 'absence is another proof', (draft) => {
    draft.absence = draft.absence === 'empty-404' ? 'problem-404' : 'empty-404';
  });
  damage('identity', 'nothing proves absence', (draft) => delete draft.absence);
}

function pagingDamages(damage: Damage): void {
  const paged = (what: string, paging: NonNullable<TypeDefinition['list']>['paging']): void =>
    damage('paging', what, (draft) => {
      if (draft.list !== undefined && paging !== undefined) draft.list = { ...draft.list, paging };
    });
  paged('one answer is all', { by: 'none', items: 'data' });
  paged('items are elsewhere', { by: 'none', items: 'rows' });
  paged('pages count from 0', {
    by: 'number',
    items: 'data',
    total: ['meta', 'page', 'total'],
    number: 'page[number]',
    first: 0,
  });
  paged('the number has another name', {
    by: 'number',
    items: 'data',
    total: ['meta', 'page', 'total'],
    number: 'pageNumber',
  });
  paged('the total is elsewhere', { by: 'number', items: 'data', total: ['total'], number: 'page[number]' });
  paged('items are skipped', { by: 'offset', items: 'data', total: ['meta', 'page', 'total'], offset: 'skip' });
  paged('pages are one apart', {
    by: 'number',
    items: 'data',
    total: ['meta', 'page', 'total'],
    number: 'page[number]',
    first: 2,
  });
  paged('items are a page', { by: 'number', items: 'meta', total: ['meta', 'page', 'total'], number: 'page[number]' });
  paged('pages are led through by a header', { by: 'link', items: 'data' });
  paged('pages are led through by a member', { by: 'link', items: 'items', next: ['meta', 'next'] });
  paged('pages have cursors', { by: 'cursor', items: 'data', cursor: 'after', next: ['next'] });
}

/** What bodies stand in, and what ids are on the wire. */
function shapeDamages({ envelope, idType }: TypeDefinition, damage: Damage): void {
  damage(
    'shape',
    'bodies stand in another envelope, or in one',
    (draft) => (draft.envelope = `${envelope ?? 'data'}s`),
  );
  if (envelope !== undefined) damage('shape', 'bodies stand in no envelope', (draft) => delete draft.envelope);
  if (idType !== undefined) damage('shape', 'ids are texts', (draft) => delete draft.idType);
}

/** `count` of them, the same for the same seed. */
export function sample<T>(mutants: readonly T[], count: number, seed: number): readonly T[] {
  let state = seed >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return mutants
    .map((mutant) => ({ mutant, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
