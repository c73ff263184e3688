import { parse } from 'yaml';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { FieldChange, PlanStep } from '@platform-sync/core/model/plan';
import type { Reading, Snapshot } from '@platform-sync/core/model/snapshot';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { leftOutSecrets } from '@platform-sync/engine/plan/left-out-secrets';
import { makePlan, type Planned } from '@platform-sync/engine/plan/plan';
import { replacedInUse } from '@platform-sync/engine/plan/replaced-in-use';
import type { PlanInput } from '@platform-sync/engine/plan/planning-state';
import {
  failedReading,
  foundObject,
  listed,
  planInput,
  readingOf,
  recordOf,
  remoteObject,
  type Wanted,
  type World,
} from './made-up-plan.js';
import { typeOf } from './made-up-types.js';

/**
 * A world as text: what the catalogue wants, what is recorded, what was read, and the plan of it. A name stands at the start of a
 * line; below it, each line is one fact (`want`, `have`, `read`, `find`, `list`, `more` …), and `>` begins a line of the plan. What
 * stands below a title (`## …`) holds for every world up to the next one, but for what a world says otherwise.
 */
export interface TextWorld {
  readonly title: string;
  readonly name: string;
  readonly facts: readonly string[];
  /** Those of all below its title, with its own over them. */
  readonly all: readonly string[];
  readonly plan: readonly string[];
}

export function textWorlds(text: string): readonly TextWorld[] {
  const worlds: TextWorld[] = [];
  let title = '';
  let shared: readonly string[] = [];
  for (const block of text.split(/\n(?=\S)/)) {
    const [name = '', ...lines] = block.trimEnd().split('\n');
    const facts = lines.filter((line) => !line.startsWith('  > ')).map((line) => line.trim());
    const plan = lines.filter((line) => line.startsWith('  > ')).map((line) => line.slice(4));
    if (name.startsWith('## ')) [title, shared] = [name.slice(3), facts];
    else if (!name.startsWith('# ') && name !== '')
      worlds.push({ title, name, facts, all: withOwn(shared, facts), plan });
  }
  return worlds;
}

/** Of one subject, the world's own word counts. */
function withOwn(shared: readonly string[], own: readonly string[]): readonly string[] {
  const said = new Map([...shared, ...own].map((fact) => [subjectOf(fact), fact]));
  return [...said.values()];
}

/** `want a`; of what may be said many times, all of it. */
function subjectOf(fact: string): string {
  return /^(?:want|have|read|find) \S+|^(?:outputs|state|more)\b/.exec(fact)?.[0] ?? fact;
}

/** The same text with other plans. */
export function retold(text: string, planOf: (world: TextWorld) => readonly string[]): string {
  const worlds = textWorlds(text).values();
  const told = text.split(/\n(?=\S)/).map((block) => {
    const world = block.startsWith('#') ? undefined : worlds.next().value;
    if (world === undefined) return block;
    const lines = [...world.facts, ...planOf(world).map((line) => `> ${line}`)];
    return [world.name, ...lines.map((line) => `  ${line}`)].join('\n') + (/\n+$/.exec(block)?.[0] ?? '');
  });
  return told.join('\n');
}

/** A flow map of YAML, or what stands before it. `$a.id` is a reference. */
const maps = (text: string): readonly JsonObject[] =>
  text === '' ? [] : (parse(`[${text.replaceAll('} {', '}, {')}]`) as JsonObject[]);

function referring(value: Json): Json {
  if (typeof value === 'string') return value.replace(/^\$([^.{}]+)\.(\S+)$/, '${$1.$2}');
  if (Array.isArray(value)) return (value as readonly Json[]).map(referring);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, referring(member)]));
}

const factPattern = /^(\w+) +(\S+) ?([^{]*?) ?(\{.*\})?$/;

interface Facts {
  readonly wanted: Record<string, Wanted>;
  readonly records: RecordedResource[];
  readonly readings: Record<string, Reading>;
  readonly found: Record<string, Reading>;
  readonly snapshot: { -readonly [K in keyof Snapshot]?: Snapshot[K] };
  outputs?: JsonObject;
  mode?: PlanInput['mode'];
  removed?: readonly string[];
  moved?: NonNullable<World['moved']>;
  state?: NonNullable<World['state']>;
  more: Partial<PlanInput>;
}

/** What each word at the start of a line adds to a world. */
const words: Readonly<
  Record<string, (facts: Facts, name: string, rest: string, given: readonly JsonObject[]) => void>
> = {
  want: ({ wanted }, address, type, [properties = {}, options = {}, place = {}]) => {
    wanted[address] = { type, properties: referring(properties) as JsonObject, options, ...place };
  },
  have: ({ records }, address, type, [inputs = {}, { id = `id-${address}`, ...more } = {}]) => {
    const record = recordOf(address, type, inputs, more as Partial<RecordedResource>);
    records.push({ ...record, identity: { ...record.identity, id: String(id) } });
  },
  read: ({ readings, records }, address, rest, [changes = {}]) => {
    const record = records.find((one) => one.address === address);
    if (record === undefined) throw new Error(`nothing is recorded at ${address}`);
    const read = readingOf(record, changes);
    const told = reading(rest, () => read);
    // What could not be read may stand in a list.
    const isListed = told.kind === 'failed' && read.kind === 'found' && Object.keys(changes).length > 0;
    readings[address] = isListed ? { ...told, listed: read } : told;
  },
  find: ({ found }, address, rest, [values = {}, scope = {}]) => {
    found[address] = reading(rest, () => foundObject(rest, values, scope as Readonly<Record<string, string>>));
  },
  list: ({ snapshot }, type, _rest, [{ objects = [], ...more } = {}]) => {
    const shown = (objects as readonly JsonObject[]).map(({ id, scope = {}, ...values }) =>
      remoteObject(String(id), values, scope as Readonly<Record<string, string>>),
    );
    snapshot.listed = [...(snapshot.listed ?? []), listed(type, shown, more)];
  },
  strange: ({ snapshot }, type, _rest, [more = {}]) => {
    const one = { type: typeOf(type).token, ...more } as unknown as Snapshot['unmanaged'][number];
    snapshot.unmanaged = [...(snapshot.unmanaged ?? []), one];
  },
  outputs: (facts, _word, _rest, [outputs = {}]) => {
    facts.outputs = referring(outputs) as JsonObject;
  },
  state: (facts, _word, _rest, [state = {}]) => {
    facts.state = state;
  },
  more: (facts, _word, _rest, [more = {}]) => {
    const { mode, removed, moved, ...others } = more;
    if (moved !== undefined) facts.moved = moved as NonNullable<World['moved']>;
    if (mode !== undefined) facts.mode = mode as PlanInput['mode'];
    if (removed !== undefined) facts.removed = removed as readonly string[];
    facts.more = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, inputOf(name, value)]));
  },
};

function reading(word: string, found: () => Reading): Reading {
  if (word === 'gone') return { kind: 'gone' };
  const [, code] = /^failed (\S+)$/.exec(word) ?? [];
  return code === undefined ? found() : failedReading(code);
}

const sets = new Set(['replace', 'resend', 'protects']);
const tables = new Set(['imports', 'lookups', 'elsewhere', 'destinations']);

function inputOf(name: string, value: Json): unknown {
  if (sets.has(name)) return new Set(value as readonly string[]);
  return tables.has(name) ? new Map(Object.entries(value as JsonObject)) : value;
}

export function worldOf(facts: readonly string[]): World {
  const world: Facts = { wanted: {}, records: [], readings: {}, found: {}, snapshot: {}, more: {} };
  // What is read now is told as what differs from the record.
  const isRead = (fact: string): boolean => fact.startsWith('read ');
  for (const fact of [...facts.filter((one) => !isRead(one)), ...facts.filter(isRead)]) {
    const [, word = '', name = '', rest = '', given = ''] = factPattern.exec(fact) ?? [];
    const add = words[word];
    if (add === undefined) throw new Error(`nothing is known of: ${fact}`);
    add(world, name, rest, maps(given));
  }
  return world;
}

/** The plan of a world, a line for each thing that it says; keys are looked for only where the world says so. */
export function planLines(world: World): readonly string[] {
  const input = planInput({ ...world, more: { looksForKeys: false, ...world.more } });
  const planned = makePlan(input);
  if (planned.kind === 'refused') return planned.problems.map((problem) => `refuse ${problemText(problem)}`);
  if (planned.kind === 'needs') return questions(planned);
  const { plan, steps } = planned;
  const lines = [
    ...plan.steps.map(stepLine),
    ...[...steps.values()].flatMap(({ recordOnly, address }) => (recordOnly ? [`record ${address}`] : [])),
    ...plan.outputs.map(({ name, ...change }) => `output ${name}: ${sides(change)}`),
    ...plan.guards.map(({ name, summary, lifted = 'held' }) => `guard ${name} (${lifted}): ${summary}`),
    ...plan.notCompared.map(({ address, diagnostic }) => `left ${address ?? ''} ${problemText(diagnostic)}`),
    ...(plan.leftOut ?? []).map((one) => `without${members(one)}`),
    ...plan.unmanaged.map((one) => `strange${members(one)}`),
    ...plan.undeclaredChanges.map(({ address, field, ...change }) => `outside ${address}.${field}: ${sides(change)}`),
    // Every first plan says that it is one; here it stands where there is nothing else to say.
    ...[...plan.notices, ...replacedInUse(input.graph, steps), ...leftOutSecrets(steps.values())].flatMap((notice) =>
      notice.code === 'no-record' && plan.steps.length > 0 ? [] : [`notice ${problemText(notice)}`],
    ),
  ];
  return lines.length === 0 ? [`nothing, ${plan.summary.unchanged} unchanged`] : lines;
}

function questions({ lookups, objects, owners }: Extract<Planned, { kind: 'needs' }>): readonly string[] {
  return [
    ...lookups.map(({ call }) => `ask ${call.token} ${json(call.args)}`),
    ...objects.map(({ type, listed: _listed, ...how }) => `ask for a ${type.name} ${json(how)}`),
    ...owners.map(({ type, identity }) => `ask who owns ${type} ${identity.id}`),
  ];
}

function stepLine(step: PlanStep): string {
  const { action, address, order, cause, from, id, force, dependsOn, fields, reasons, options = [], risks } = step;
  const isOneSided = action === 'create' || action === 'delete';
  return [
    `${action} ${address}${isOneSided ? ` {${fields.map(oneSide).join(', ')}}` : ''}`,
    order,
    force && 'forced',
    from && `from ${from}`,
    action === 'adopt' && `object ${id ?? ''}`,
    cause !== 'config' && cause && `because of ${cause}`,
    dependsOn.length > 0 && `after ${dependsOn.join(', ')}`,
    ...(isOneSided ? [] : fields.map(fieldText)),
    // The fields say so themselves.
    ...reasons.map((one) => !['not-in-state', 'field-changed'].includes(one.kind) && `because${members(one)}`),
    ...options.map((change) => `option${members(change)}`),
    ...risks.map((risk) => `risk${members(risk)}`),
  ]
    .filter((part) => typeof part === 'string')
    .join('; ');
}

const oneSide = ({ field, old, new: now }: FieldChange): string => `${field}: ${json(now ?? old)}`;

function fieldText({ field, rule, cause, cannotClear, ...change }: FieldChange): string {
  const also = [rule !== 'update' && rule, cause !== 'config' && cause, cannotClear === true && 'stays'];
  return [`${field}: ${sides(change)}`, ...also.filter((word) => word !== false)].join(', ');
}

const json = (value: unknown): string => JSON.stringify(value) ?? '–';
const sides = (change: { readonly old?: Json; readonly new?: Json }): string =>
  `${json(change.old)} → ${json(change.new)}`;
const members = (of: object): string =>
  Object.values(of)
    .map((value) => ` ${typeof value === 'string' ? value : json(value)}`)
    .join('');

function problemText(problem: Diagnostic): string {
  const { code, severity, address, summary, detail = '', hint = '', related = [] } = problem;
  const about = address === undefined ? code : `${code} ${address}`;
  const more = [detail.replaceAll('\n', ' / '), hint, ...related.map(({ message }) => message)];
  return [`${severity} ${about}: ${summary}`, ...more.filter((text) => text !== '')].join(' | ');
}
