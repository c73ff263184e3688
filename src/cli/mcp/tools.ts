import { nearest } from '@platform-sync/core/model/nearest';
import { defined, isList, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { commandLoaders } from '../command-list.js';
import { jsonFlag } from '../arguments/global-flags.js';
import { UsageError } from '../process/usage-error.js';
import { type Command, formatsOf } from '../run/command.js';

/** What of a command a tool lets through; the words are those of its help. */
interface Row {
  readonly flags: readonly string[];
  /** Flags that are set whatever is asked. */
  readonly always?: readonly string[];
  /** The name of a list of words behind the arguments. */
  readonly more?: string;
  readonly writes?: 'files' | 'platform';
}

const selection = ['target', 'exclude', 'refresh'];
/** Of what makes a plan. */
export const planFlags = [...selection, 'replace', 'no-delete'];

/**
 * The tools. No flag that names a file, a server or a person's consent is among those of a row: what an agent says reaches neither
 * the machine nor the platform by them.
 */
const rows: Readonly<Record<string, Row>> = {
  validate: { flags: ['all-stacks'] },
  plan: { flags: [...planFlags, 'base'] },
  drift: { flags: selection },
  explain: { flags: [] },
  eval: { flags: [] },
  schema: { flags: ['example'] },
  get: { flags: ['parent', 'filter', 'one'] },
  history: { flags: ['before'] },
  'history:show': { flags: [] },
  undo: { flags: ['dry-run'], always: ['--edit'], more: 'addresses', writes: 'files' },
  apply: { flags: [...planFlags, 'lock-timeout'], writes: 'platform' },
};

/** A command as a tool: what the client sees of it, and the line that a call stands for. */
export interface Tool {
  readonly id: string;
  readonly shown: JsonObject;
  /** Throws UsageError for what the schema does not take. */
  readonly line: (given: JsonObject) => readonly string[];
  /** Those among its flags. */
  readonly flagsOf: (given: JsonObject, names: readonly string[]) => readonly string[];
}

/** An answer of more entries than this helps nobody. */
const usualLimit = 50;

/** @param hasStack the server was started for one stack */
export async function toolsOf(hasStack: boolean): Promise<ReadonlyMap<string, Tool>> {
  const loaders: Readonly<Record<string, (() => Promise<Command>) | undefined>> = commandLoaders;
  const made = Object.entries(rows).map(async ([id, row]): Promise<readonly [string, Tool][]> => {
    const command = await ownMember(loaders, id)?.();
    return command === undefined ? [] : [[id.replace(':', '_'), toolOf(id, row, command, hasStack)]];
  });
  return new Map((await Promise.all(made)).flat());
}

function toolOf(id: string, row: Row, command: Command, hasStack: boolean): Tool {
  const flags: Command['flags'] = { ...jsonFlag, ...command.flags };
  const own = Object.fromEntries([...row.flags, 'fields', 'limit'].map((name) => [name, flagSchema(flags?.[name])]));
  const args = Object.entries(command.args ?? {}).filter(([name]) => id !== 'apply' || name !== 'plan');
  const words = Object.fromEntries(
    args.map(([name, { description }]) => [name, { type: 'string', ...defined({ description }) }]),
  );
  const properties: Readonly<Record<string, JsonObject>> = {
    ...words,
    ...own,
    ...(row.more === undefined ? {} : { [row.more]: textList('only these') }),
    ...(hasStack ? {} : { stack: { type: 'string', description: 'stack to work on' } }),
    ...(id === 'apply' ? { effect: effectSchema } : {}),
  };
  const required = [
    ...args.flatMap(([name, arg]) => (arg.required === true ? [name] : [])),
    ...(id === 'apply' ? ['effect'] : []),
  ];
  const flagsOf = (given: JsonObject, names: readonly string[]): readonly string[] =>
    names.flatMap((name) => flagWords(name, given[name]));
  return {
    id,
    shown: {
      name: id.replace(':', '_'),
      description: [command.summary, ...(command.description === undefined ? [] : [command.description])].join(' '),
      inputSchema: { type: 'object', properties, required, additionalProperties: false },
      annotations: { readOnlyHint: row.writes === undefined, destructiveHint: row.writes === 'platform' },
    },
    flagsOf,
    line: (given) => {
      mustFit(id, given, properties, required);
      const more = row.more === undefined ? undefined : given[row.more];
      const typed = [...args.map(([name]) => given[name]), ...(isList(more) ? more : [])];
      return [
        ...id.split(':'),
        ...(row.always ?? []),
        ...flagsOf({ limit: usualLimit, ...given }, ['stack', 'fields', 'limit', ...row.flags]),
        `--format=${formatOf(command)}`,
        '--',
        ...typed.flatMap((word) => (word === undefined ? [] : [String(word)])),
      ];
    },
  };
}

const effectSchema = {
  type: 'string',
  pattern: '^[0-9a-f]{12,64}$',
  description: '"effectDigest" of the plan that a person approves; its first 12 digits are enough',
};

const textList = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description });

function formatOf(command: Command): string {
  const formats = formatsOf(command);
  return formats.includes('jsonl') && !formats.includes('json') ? 'jsonl' : 'json';
}

function flagSchema(flag: NonNullable<Command['flags']>[string] | undefined): JsonObject {
  const { description = '' } = flag ?? {};
  if (flag?.type === 'boolean') return { type: 'boolean', description };
  const { options, multiple, min } = { options: undefined, multiple: false, min: undefined, ...flag };
  if (multiple === true) return textList(description);
  if (min !== undefined) return { type: 'integer', minimum: min, description };
  return { type: 'string', description, ...(options === undefined ? {} : { enum: [...options] }) };
}

function flagWords(name: string, value: Json | undefined): readonly string[] {
  if (value === undefined || value === false || value === null) return [];
  if (value === true) return [`--${name}`];
  return (isList(value) ? value : [value]).map((each) => `--${name}=${String(each)}`);
}

const typeNames: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isSafeInteger(value),
  array: (value) => isList(value) && value.every((each) => typeof each === 'string'),
};

function mustFit(
  id: string,
  given: JsonObject,
  properties: Readonly<Record<string, JsonObject>>,
  required: readonly string[],
): void {
  const missing = required.find((name) => given[name] === undefined);
  if (missing !== undefined)
    throw new UsageError(`${id} needs ${missing}`, String(ownMember(properties, missing)?.['description'] ?? ''));
  for (const [name, value] of Object.entries(given)) {
    const schema = ownMember(properties, name);
    const type = String(schema?.['type']);
    if (schema === undefined) {
      const meant = nearest(name, Object.keys(properties));
      throw new UsageError(
        `${id} has no ${name}`,
        meant ? `did you mean ${meant}?` : `It takes ${Object.keys(properties).join(', ')}.`,
      );
    }
    if (!ownMember(typeNames, type)?.(value))
      throw new UsageError(`${name} is no ${type}`, type === 'array' ? 'A list of texts is meant.' : undefined);
    const texts = [value].flat().filter((each) => typeof each === 'string');
    if (texts.some((text) => /\p{Cc}/u.test(text)))
      throw new UsageError(`${name} has a control character in it`, 'Names and expressions are one line.');
    const { pattern } = schema;
    if (typeof pattern === 'string' && !texts.every((text) => new RegExp(pattern).test(text)))
      throw new UsageError(`${name} does not match ${pattern}`, String(schema['description']));
  }
}
