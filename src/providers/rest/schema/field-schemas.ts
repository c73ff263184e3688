import { DocumentFault } from '@platform-sync/core/model/document-fault';
import type { PathSegment } from '@platform-sync/core/model/expression';
import type { UnfitPattern } from '@platform-sync/core/model/linear-pattern';
import { openMark } from '@platform-sync/core/model/resource-type';
import { isList, isObject, type Json } from '@platform-sync/core/model/value';
import type { FieldType, TypeDefinition } from '../definition.js';
import { memberOf } from '../field-schema.js';

type Path = readonly PathSegment[];

/** Keywords of JSON Schema with one schema, a list of them, and a map of them. */
const one = new Set(['additionalProperties', 'contains', 'else', 'if', 'items', 'propertyNames', 'then']);
const many = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const named = new Set(['properties', 'patternProperties']);
const plain = new Set([
  ...[
    'type',
    'enum',
    'const',
    'format',
    'pattern',
    'title',
    'description',
    'default',
    'examples',
    'deprecated',
    '$comment',
  ],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems'],
  ...['required', 'dependentRequired', 'nullable', openMark],
]);

/** A pattern in a row that holds a schema, and where in the document it stands. */
interface FieldPattern {
  readonly pattern: string;
  /** Type and field. */
  readonly of: string;
  readonly path: Path;
}

/** The patterns in the schemas of fields and of what is in them. Throws DocumentFault where those say what is not checked here. */
export function fieldPatterns(definitions: readonly TypeDefinition[]): readonly FieldPattern[] {
  return definitions.flatMap(({ name, fields, outputs = {}, union }, at) => [
    ...schemaRows(union?.kinds, ['definitions', at, 'union', 'kinds']).flatMap(([schema, path]) =>
      patternsIn(schema, name, path),
    ),
    ...Object.entries({ fields, outputs }).flatMap(([group, rows]) =>
      Object.entries(rows).flatMap(([field, { limits, accepts, type }]) => {
        const path = ['definitions', at, group, field];
        const inside = type === undefined ? [] : limitsIn(type, [...path, 'type']);
        return [...schemaRows({ limits, accepts }, path), ...inside].flatMap(([schema, own]) =>
          patternsIn(schema, `${name}.${field}`, own),
        );
      }),
    ),
  ]);
}

/** A schema, and where it stands. */
type Placed = readonly [schema: Json, path: Path];

function schemaRows(rows: Readonly<Record<string, Json | undefined>> = {}, path: Path): readonly Placed[] {
  return Object.entries(rows).flatMap(([row, schema]): readonly Placed[] =>
    schema === undefined ? [] : [[schema, [...path, row]]],
  );
}

/** What limits items, entries and members, and what is in them. */
function limitsIn(type: FieldType, path: Path): readonly Placed[] {
  if (typeof type === 'string' || 'choice' in type) return [];
  if (!('record' in type)) {
    const inside = 'list' in type ? limitsIn(type.list, [...path, 'list']) : limitsIn(type.map, [...path, 'map']);
    return [...schemaRows({ limits: type.limits }, path), ...inside];
  }
  const members = Object.entries(type.members).flatMap(([name, said]) => {
    const { limits, type: own = 'string' } = memberOf(said);
    const at = [...path, 'members', name];
    return [...schemaRows({ limits }, at), ...limitsIn(own, [...at, 'type'])];
  });
  return [...members, ...schemaRows(type.kinds, [...path, 'kinds'])];
}

/** Throws DocumentFault for the first that nothing runs; `unfit` says why. */
export function mustRun(patterns: readonly FieldPattern[], unfit: (pattern: string) => UnfitPattern | undefined): void {
  for (const { pattern, of, path } of patterns) {
    const why = unfit(pattern);
    const shown = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
    if (why !== undefined)
      throw new DocumentFault(`the pattern ${shown} of ${of} can't be run: ${why.message}`, path, why.hint);
  }
}

function patternsIn(schema: Json, of: string, path: Path): readonly FieldPattern[] {
  if (typeof schema === 'boolean') return [];
  if (!isObject(schema)) throw new DocumentFault(`${of}: a schema is a map`, path, 'Write keywords of JSON Schema.');
  return Object.entries(schema).flatMap(([word, value]): readonly FieldPattern[] => {
    const here = [...path, word];
    const inside = (each: Json, name: PathSegment): readonly FieldPattern[] => patternsIn(each, of, [...here, name]);
    if (one.has(word)) return patternsIn(value, of, here);
    if (many.has(word) && isList(value)) return value.flatMap(inside);
    if (named.has(word) && isObject(value)) {
      const keys = word === 'patternProperties' ? Object.keys(value) : [];
      const found = keys.map((pattern) => ({ pattern, of, path: [...here, pattern] }));
      return [...found, ...Object.entries(value).flatMap(([name, each]) => inside(each, name))];
    }
    if (word === 'not' && path.at(-1) === 'propertyNames' && isForbidden(value))
      return [{ pattern: value.pattern, of, path: [...here, 'pattern'] }];
    if (!plain.has(word)) throw unknownWord(word, of, here);
    return word === 'pattern' && typeof value === 'string' ? [{ pattern: value, of, path: here }] : [];
  });
}

/** Keys that the service keeps for itself: the only `not` that rules know. */
function isForbidden(value: Json): value is { readonly pattern: string } {
  return isObject(value) && Object.keys(value).join() === 'pattern' && typeof value['pattern'] === 'string';
}

function unknownWord(word: string, of: string, path: Path): DocumentFault {
  if (word.endsWith('ef'))
    return new DocumentFault(`${of} refers to another schema (${word})`, path, 'Write what it means in its place.');
  if (word === 'not')
    return new DocumentFault(
      `${of} says what a value is not`,
      path,
      'Say what it is; `not` stands for reserved keys alone: propertyNames: {not: {pattern: …}}.',
    );
  return new DocumentFault(
    `${of} has a keyword "${word}" that no rule knows`,
    path,
    'Take it out, or correct its name.',
  );
}
