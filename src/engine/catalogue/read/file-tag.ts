import path from 'node:path';
import type { Expression, MapEntry } from '../../model/expression.js';
import type { SourceRange } from '../../model/place-in-file.js';
import { isList, type Json } from '../../model/value.js';
import { brokenValue, type BuildContext } from './build-context.js';
import { isEmptyText, reportEmpty, reportFailure } from './file-failures.js';
import { atPointer, pointerKeys, toPointer } from '../../model/json-pointer.js';
import { didYouMean } from '../../model/nearest.js';
import { siblingPath } from './text-file.js';

/** `path` or `path#/pointer`, relative to the file the call stands in: the text, or a part of the parsed file. */
export function readDataFile(argument: string, at: SourceRange, context: BuildContext): Expression {
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
    context.problems.add('file-no-data', at, `The policy does not let these files read ${file}.`, {
      hint: `Whoever runs this can list its folder under "data" in the policy (SYNC_POLICY).`,
    });
    return brokenValue(context, at);
  }
  if (pointer === undefined) {
    const read = context.data.text(file, at.file);
    if (read.ok) {
      if (isEmptyText(read.text)) reportEmpty(file, at, context);
      return { kind: 'literal', value: read.text, at, from: file };
    }
    reportFailure(file, read, at, context);
    return brokenValue(context, at);
  }
  return readPart(file, pointer, at, context);
}

function readPart(file: string, pointer: string, at: SourceRange, context: BuildContext): Expression {
  if (pointer !== '' && !pointer.startsWith('/')) {
    context.problems.add('bad-pointer', at, `"${pointer}" is no JSON pointer.`, {
      hint: `A pointer starts with a slash: ${file}#/${pointer}`,
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
function pointerHint(value: Json, keys: readonly string[]): string | undefined {
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const above = atPointer(value, toPointer(keys.slice(0, depth)));
    if (above === undefined) continue;
    const where = depth === 0 ? 'The file' : toPointer(keys.slice(0, depth));
    if (Array.isArray(above)) return `${where} is a list of ${String(above.length)}.`;
    if (typeof above !== 'object' || above === null) return `${where} is no map.`;
    const known = Object.keys(above);
    return (
      didYouMean(keys[depth] ?? '', known) ??
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
