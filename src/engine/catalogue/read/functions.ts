import { defined, isList, type Json, ownMember } from '@platform-sync/core/model/value';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { brokenValue, type BuildContext } from './build-context.js';
import { type Hint, meant, replacing } from '../problem/advice.js';
import path from 'node:path';
import { isSpecificationOverlay } from './data-files.js';
import { isEmptyText, reportEmpty, reportFailure, reportOverlay } from './file-failures.js';
import { atPointer, pointerKeys, toPointer } from '@platform-sync/core/model/json-pointer';
import { siblingPath } from './file-texts.js';

/** The short spellings, and the function each one is. */
export const tagFunctions: Readonly<Record<string, string>> = {
  '!file': 'fn::readFile',
  '!env': 'fn::env',
  '!secret': 'fn::secret',
  '!json': 'fn::toJSON',
  '!lookup': 'fn::invoke',
  '!unset': 'fn::unset',
};

export const functionNames: readonly string[] = [...Object.values(tagFunctions), 'fn::join'];

/** Builds the expression of a call. `at` is the call, `argument.at` what it is called with. */
export function callFunction(name: string, argument: Expression, at: SourceRange, context: BuildContext): Expression {
  if (name === 'fn::secret') hide(argument, context);
  if (context.broken.has(argument)) return brokenValue(context, at);
  switch (name) {
    case 'fn::readFile':
      return withText(name, 'the path of a file', argument, at, context, (path) =>
        readDataFile(path, argument.at, context),
      );
    case 'fn::env':
      return withText(name, 'the name of an environment variable', argument, at, context, (variable) =>
        environmentVariable(variable, argument.at, context),
      );
    case 'fn::secret':
      return secretExpressionOf(argument, `!secret ${describe(argument)}`, at, context);
    case 'fn::toJSON':
      return { kind: 'toJson', value: argument, at };
    case 'fn::unset':
      return unset(argument, at, context);
    case 'fn::join':
      return join(argument, at, context);
    default:
      return invoke(argument, at, context);
  }
}

function withText(
  name: string,
  wanted: string,
  argument: Expression,
  at: SourceRange,
  context: BuildContext,
  build: (text: string) => Expression,
): Expression {
  if (argument.kind === 'literal' && typeof argument.value === 'string' && argument.value !== '') {
    return build(argument.value);
  }
  return badCall(name, argument.at, `takes ${wanted}, as plain text without references`, at, context);
}

function unset(argument: Expression, at: SourceRange, context: BuildContext): Expression {
  if (argument.kind === 'literal' && (argument.value === null || argument.value === ''))
    return { kind: 'literal', value: null, at, unset: true };
  return badCall('fn::unset', argument.at, 'takes no value', at, context);
}

function environmentVariable(name: string, at: SourceRange, context: BuildContext): Expression {
  if (context.rules?.variable(name) === false) {
    context.problems.add('variable-not-allowed', at, `The permissions do not let these files read ${name}.`, {
      hint: `The operator can list it under "env" in the permissions (SYNC_POLICY).`,
    });
    return brokenValue(context, at);
  }
  const value = ownMember(context.env, name);
  if (value !== undefined) {
    return secretExpressionOf({ kind: 'literal', value, at }, `!env ${name}`, at, context);
  }
  const stand = brokenValue(context, at);
  if (context.onUnsetVariable) context.onUnsetVariable(stand, name, at);
  else reportUnsetVariable(name, at, context);
  return stand;
}

/** An unset variable is an error, an empty one is not. */
export function reportUnsetVariable(name: string, at: SourceRange, { problems }: Pick<BuildContext, 'problems'>): void {
  problems.add('unset-variable', at, `The environment variable ${name} is not set.`, {
    hint: `Set ${name} where this command runs; an empty value is allowed.`,
  });
}

function join(argument: Expression, at: SourceRange, context: BuildContext): Expression {
  const [separator, items, ...rest] = argument.kind === 'list' ? argument.items : [];
  const isText = separator !== undefined && (separator.kind !== 'literal' || typeof separator.value === 'string');
  const isList = items !== undefined && (items.kind === 'list' || !isData(items));
  if (separator === undefined || items === undefined || !isText || !isList || rest.length > 0) {
    return badCall('fn::join', argument.at, 'takes a separator and a list of texts: [", ", [a, b]]', at, context);
  }
  return { kind: 'join', separator, items, at };
}

const invokeKeys = ['function', 'arguments', 'return'];

function invoke(argument: Expression, at: SourceRange, context: BuildContext): Expression {
  const name = 'fn::invoke';
  if (argument.kind !== 'map') {
    return badCall(name, argument.at, 'takes a map: {function: provider:getSomething, arguments: {…}}', at, context);
  }
  let bad = false;
  for (const [key, entry] of argument.entries) {
    if (invokeKeys.includes(key)) continue;
    bad = true;
    context.problems.add('unknown-key', entry.key, `A lookup has no key "${key}".`, {
      hint: meant(key, invokeKeys) ?? `It takes ${invokeKeys.join(', ')}.`,
    });
  }
  const called = text(argument.entries.get('function'));
  const returned = argument.entries.get('return');
  const returnedName = text(returned);
  if (called === undefined) {
    return badCall(name, argument.at, 'needs the name of a lookup as plain text under "function"', at, context);
  }
  if (returned !== undefined && returnedName === undefined) {
    return badCall(name, returned.value.at, 'takes the name of one output as plain text under "return"', at, context);
  }
  const given = argument.entries.get('arguments')?.value;
  const args: Expression = given === undefined || isNull(given) ? { kind: 'map', entries: new Map(), at } : given;
  if (isData(args) && args.kind !== 'map') return badCall(name, args.at, 'takes a map under "arguments"', at, context);
  if (bad) return brokenValue(context, at);
  const lookup: Expression = {
    kind: 'lookup',
    function: called.text,
    arguments: args,
    ...defined({ return: returnedName?.text }),
    at,
  };
  context.lookups.push({ lookup, name: called.at, ...defined({ returnAt: returnedName?.at }) });
  return lookup;
}

function badCall(name: string, place: SourceRange, why: string, at: SourceRange, context: BuildContext): Expression {
  context.problems.add('bad-function-call', place, `${spelling(name)} ${why}.`);
  return brokenValue(context, at);
}

/** Both spellings of a function, for messages. */
function spelling(name: string): string {
  const tag = Object.entries(tagFunctions).find(([, called]) => called === name)?.[0];
  return tag === undefined ? name : `${tag} (${name})`;
}

function text(entry: MapEntry | undefined): { readonly text: string; readonly at: SourceRange } | undefined {
  if (entry?.value.kind !== 'literal' || typeof entry.value.value !== 'string' || entry.value.value === '')
    return undefined;
  return { text: entry.value.value, at: entry.value.at };
}

function isData(value: Expression): boolean {
  return value.kind === 'literal' || value.kind === 'list' || value.kind === 'map';
}

function isNull(value: Expression): boolean {
  return value.kind === 'literal' && value.value === null;
}

/** What may be shown of a secret's argument: references, never literals. */
function describe(value: Expression): string {
  if (value.kind === 'reference') return `\${${value.text}}`;
  if (value.kind === 'secret') return value.text;
  if (value.kind === 'interpolation')
    return value.parts.map((part) => (typeof part === 'string' ? '***' : describe(part))).join('');
  return '***';
}

/** Lines that spell out a secret never show up under an error. */
function hide(value: Expression, context: BuildContext): void {
  context.sources.hide(value.at);
  if (value.kind === 'list') for (const item of value.items) hide(item, context);
  if (value.kind === 'map') for (const entry of value.entries.values()) hide(entry.value, context);
}

/** The specification that an overlay stands for; nothing yet where it is to be made first. */
function overlaidText(file: string, text: string, at: SourceRange, context: BuildContext): Expression {
  const found = context.data.overlaid(file);
  if (found === undefined) return brokenValue(context, at);
  context.sources.add(file, text);
  if (!reportOverlay(found, context)) return brokenValue(context, at);
  return { kind: 'literal', value: found.text, at, from: found.base };
}

/** `path` or `path#/pointer`, relative to the file the call stands in: the text, or a part of the parsed file. */
function readDataFile(argument: string, at: SourceRange, context: BuildContext): Expression {
  const hash = argument.indexOf('#');
  const name = hash < 0 ? argument : argument.slice(0, hash);
  const pointer = hash < 0 ? undefined : argument.slice(hash + 1);
  if (path.posix.isAbsolute(name) || path.win32.isAbsolute(name)) {
    context.problems.add('file-outside-project', at, 'An absolute path leads out of the project folder.', {
      hint: 'Paths are relative to the file that names them.',
    });
    return brokenValue(context, at);
  }
  if (name === '') {
    context.problems.add(
      'bad-function-call',
      at,
      '!file (fn::readFile) takes a path relative to the file it stands in.',
    );
    return brokenValue(context, at);
  }
  const file = siblingPath(at.file, name);
  if (context.rules?.data(file) === false) {
    context.problems.add('file-no-data', at, `The permissions do not let these files read ${file}.`, {
      hint: `The operator can list its folder under "data" in the permissions (SYNC_POLICY).`,
    });
    return brokenValue(context, at);
  }
  if (pointer === undefined) {
    const read = context.data.text(file, at.file);
    if (read.ok) {
      if (isEmptyText(read.text)) reportEmpty(file, at, context);
      if (context.data.followsOverlays && isSpecificationOverlay(read.text))
        return overlaidText(file, read.text, at, context);
      return { kind: 'literal', value: read.text, at, from: file };
    }
    reportFailure(file, read, at, context);
    return brokenValue(context, at);
  }
  return readPart(file, pointer, at, context);
}

function readPart(file: string, pointer: string, at: SourceRange, context: BuildContext): Expression {
  if (pointer !== '' && !pointer.startsWith('/')) {
    context.problems.add('bad-pointer', at, `"${pointer}" is not a JSON pointer.`, {
      hint: replacing(`A pointer starts with a slash: ${file}#/${pointer}`, `#${pointer}`, `#/${pointer}`),
    });
    return brokenValue(context, at);
  }
  const parsed = context.data.parsed(file, at.file);
  if (!parsed.ok) {
    reportFailure(file, parsed, at, context);
    return brokenValue(context, at);
  }
  const part = atPointer(parsed.value, pointer);
  if (part !== undefined) return literal(part, at);
  context.problems.add('pointer-to-nothing', at, `${file} has nothing at ${pointer}.`, {
    hint: pointerHint(parsed.value, pointerKeys(pointer)),
  });
  return brokenValue(context, at);
}

/** Where the way through the file breaks off, and what is there instead. */
function pointerHint(value: Json, keys: readonly string[]): Hint | undefined {
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const above = atPointer(value, toPointer(keys.slice(0, depth)));
    if (above === undefined) continue;
    const where = depth === 0 ? 'The file' : toPointer(keys.slice(0, depth));
    if (Array.isArray(above)) return `${where} is a list of ${String(above.length)}.`;
    if (typeof above !== 'object' || above === null) return `${where} is no map.`;
    const known = Object.keys(above);
    return (
      meant(keys[depth] ?? '', known, '/') ??
      `${where} has ${known.slice(0, 8).join(', ')}${known.length > 8 ? ' …' : ''}.`
    );
  }
  return undefined;
}

function literal(value: Json, at: SourceRange): Expression {
  if (typeof value !== 'object' || value === null) return { kind: 'literal', value, at };
  if (isList(value)) return { kind: 'list', items: value.map((item) => literal(item, at)), at };
  const entries = new Map<string, MapEntry>();
  for (const [name, item] of Object.entries(value)) entries.set(name, { key: at, value: literal(item, at) });
  return { kind: 'map', entries, at };
}

/** A secret of these files; under review, one whose content is a hole: nothing that is read depends on it. */
export function secretExpressionOf(
  value: Expression,
  text: string,
  at: SourceRange,
  context: BuildContext,
): Expression {
  const hide = context.rules?.hide;
  return { kind: 'secret', value: hide === undefined ? value : hole(value, text, hide), text, at };
}

/** The secrets in a value that was read with what they hold. */
export function withHiddenSecrets(value: Expression, context: BuildContext): Expression {
  if (context.rules?.hide === undefined) return value;
  if (value.kind === 'secret') return secretExpressionOf(value.value, value.text, value.at, context);
  if (value.kind === 'list') return { ...value, items: value.items.map((item) => withHiddenSecrets(item, context)) };
  if (value.kind !== 'map') return value;
  const entries = [...value.entries].map(([name, entry]): [string, MapEntry] => [
    name,
    { ...entry, value: withHiddenSecrets(entry.value, context) },
  ]);
  return { ...value, entries: new Map(entries) };
}

/** References stay: what needs what is no secret. */
function hole(value: Expression, text: string, hide: (content: string) => void): Expression {
  switch (value.kind) {
    case 'literal':
      if (value.hidden === true) return value;
      if (typeof value.value === 'string') hide(value.value);
      return { kind: 'literal', value: text, at: value.at, hidden: true };
    case 'list':
    case 'map':
      for (const part of partsOf(value)) hole(part, text, hide);
      return isPlain(value)
        ? { kind: 'literal', value: text, at: value.at, hidden: true }
        : withHoles(value, text, hide);
    case 'interpolation':
      return {
        ...value,
        parts: value.parts.map((part) => {
          if (typeof part !== 'string') return hole(part, text, hide);
          hide(part);
          return '';
        }),
      };
    case 'toJson':
    case 'secret':
      return { ...value, value: hole(value.value, text, hide) };
    case 'join':
      return { ...value, separator: hole(value.separator, text, hide), items: hole(value.items, text, hide) };
    default:
      return value;
  }
}

type Parted = Expression & { readonly kind: 'list' | 'map' };

function withHoles(value: Parted, text: string, hide: (content: string) => void): Expression {
  if (value.kind === 'list') return { ...value, items: value.items.map((item) => hole(item, text, hide)) };
  const entries = [...value.entries].map(([name, entry]): [string, MapEntry] => [
    name,
    { ...entry, value: hole(entry.value, text, hide) },
  ]);
  return { ...value, entries: new Map(entries) };
}

function partsOf(value: Parted): readonly Expression[] {
  return value.kind === 'list' ? value.items : [...value.entries.values()].map((entry) => entry.value);
}

/** How many parts a secret has, and what they are called, is as secret as they are. */
function isPlain(value: Expression): boolean {
  if (value.kind === 'literal') return true;
  return (value.kind === 'list' || value.kind === 'map') && partsOf(value).every(isPlain);
}
