import type { LookupExpression, PathSegment, ReferenceExpression } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Catalogue } from '../build/catalogue.js';
import type { BuildContext } from '../read/build-context.js';
import { followReference, type ValueScope } from '../build/known-value.js';
import { meant, replacing } from '../problem/advice.js';
import type { Referring } from '../build/references.js';
import type { Vocabulary } from '../build/vocabulary.js';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** Checks that the way behind each reference leads to something its target has. */
export function checkReferences(
  catalogue: Catalogue,
  referring: readonly Referring[],
  vocabulary: Vocabulary,
  scope: ValueScope,
  context: BuildContext,
): void {
  // Such a secret is handed over, and goes into nothing else.
  const asOutputs = new Set<unknown>(catalogue.outputs.values());
  const check = (found: ReferenceExpression): void => {
    if (found.to === 'resource') return checkPath(found, found.path, found.at);
    const end = followReference(found, scope);
    if (end === undefined) return;
    const { expression, rest, missing } = end;
    if (found.target === 'param' && (found.path.length === 0 || missing?.step === found.path[0]))
      reportParameter(found, catalogue, context);
    else if (missing !== undefined) reportMissing(found, missing, context);
    // A reference without more steps is checked where it stands itself.
    else if (expression.kind === 'lookup') checkLookupPath(found, expression, rest);
    else if (expression.kind === 'reference' && rest.length > 0)
      checkPath(expression, [...expression.path, ...rest], found.at);
  };
  const checkPath = (found: ReferenceExpression, path: readonly PathSegment[], at: SourceRange): void => {
    const target = catalogue.resources.get(found.target);
    if (target === undefined) return;
    if (isShownOnce(found, target.type)) {
      if (!asOutputs.has(found)) reportShownOnce(found, context);
      return;
    }
    const child = (): string | undefined => childPath(found.target, path, catalogue);
    checkResourcePath(found.target, target.type, path, at, child, context);
  };
  const checkLookupPath = (
    found: ReferenceExpression,
    lookup: LookupExpression,
    rest: readonly PathSegment[],
  ): void => {
    const type = vocabulary.lookups.get(lookup.function);
    if (type === undefined) return;
    const path = lookup.return === undefined ? rest : [lookup.return, ...rest];
    if (schemaAt(type.outputs, path) !== 'none') return;
    const outputs = schemaProperties(type.outputs);
    context.problems.add('unknown-property', found.at, `${type.shortToken} returns nothing at "${pathText(path)}".`, {
      hint: meant(String(path[0]), outputs, '.') ?? `It returns ${outputs.join(', ')}.`,
    });
  };
  for (const { references } of referring) references.forEach(check);
}

/** A secret that the platform chooses, and that is no field of the object. */
function isShownOnce({ path }: ReferenceExpression, { shownOnce, fields }: ResourceType): boolean {
  const [name] = path;
  return path.length === 1 && typeof name === 'string' && shownOnce?.includes(name) === true && !(name in fields);
}

function reportShownOnce({ at, text, path }: ReferenceExpression, { problems }: BuildContext): void {
  problems.add(
    'shown-once-used',
    at,
    `${text} is shown once and recorded nowhere: only an output of its own can take it.`,
    {
      hint: `Write outputs: {${String(path[0])}: \${${text}}}, and say with --output where it goes.`,
    },
  );
}

function checkResourcePath(
  target: string,
  type: ResourceType,
  path: readonly PathSegment[],
  at: SourceRange,
  childOf: () => string | undefined,
  { problems }: BuildContext,
): void {
  const [first, ...rest] = path;
  if (first === undefined) {
    problems.add('reference-without-property', at, `The reference to ${target} names no property.`, {
      hint: replacing(`Write \${${target}.id} for its id.`, target, `${target}.id`),
    });
    return;
  }
  const rule = typeof first === 'string' && Object.hasOwn(type.fields, first) ? type.fields[first] : undefined;
  const schema = first === 'id' ? { type: 'string' } : rule?.schema;
  if (schema === undefined) {
    const known = ['id', ...Object.keys(type.fields)];
    const child = childOf();
    problems.add(
      'unknown-property',
      at,
      `${target} is a ${type.shortToken}, which has no property "${String(first)}".`,
      {
        hint:
          (child === undefined
            ? undefined
            : replacing(`Did you mean \${${child}}?`, pathText([target, ...path]), child)) ??
          meant(String(first), known, '.') ??
          `It has ${known.join(', ')}.`,
      },
    );
    return;
  }
  for (let depth = 1; depth <= rest.length; depth++) {
    if (schemaAt(schema, rest.slice(0, depth)) !== 'none') continue;
    const above = rest.slice(0, depth - 1);
    const summary = `"${pathText([first, ...above])}" of ${target} has nothing at "${String(rest[depth - 1])}".`;
    problems.add('unknown-property', at, summary, {
      hint: meant(String(rest[depth - 1]), schemaProperties(schemaAt(schema, above)), '.'),
    });
    return;
  }
}

/** `petstore/guide.id` for `petstore.guide.id`, where there is such a child. */
function childPath(target: string, path: readonly PathSegment[], { resources }: Catalogue): string | undefined {
  let [address, rest] = [target, path];
  for (let next = rest[0]; next !== undefined && resources.has(`${address}/${next}`); next = rest[0])
    [address, rest] = [`${address}/${next}`, rest.slice(1)];
  return address === target ? undefined : pathText([address, ...(rest.length === 0 ? ['id'] : rest)]);
}

function reportMissing(
  found: ReferenceExpression,
  { step, known }: { readonly step: PathSegment; readonly known: readonly string[] },
  { problems }: BuildContext,
): void {
  problems.add('unknown-property', found.at, `The variable ${found.target} has nothing at "${String(step)}".`, {
    hint: meant(String(step), known, '.') ?? (known.length > 0 ? `It has ${known.join(', ')}.` : undefined),
  });
}

function reportParameter(
  { path, at }: ReferenceExpression,
  { variables }: Catalogue,
  { problems }: BuildContext,
): void {
  const [name] = path;
  const declared = variables.get('param');
  const known = declared?.kind === 'map' ? [...declared.entries.keys()] : [];
  const others =
    known.length === 0 ? 'Declare it under "parameters" in sync.yaml.' : `Parameters are ${known.join(', ')}.`;
  const summary = name === undefined ? '${param} names no parameter.' : `There is no parameter "${String(name)}".`;
  problems.add('unknown-parameter', at, summary, {
    hint: (name === undefined ? undefined : meant(String(name), known, '.')) ?? others,
  });
}

/** A path as people write it: `portals[0].id`. */
export function pathText(path: readonly PathSegment[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${String(step)}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** The schema of a part of a value: `none` when the schema rules such a part out, undefined when it does not say. */
export function schemaAt(schema: JsonObject, path: readonly PathSegment[]): JsonObject | 'none' | undefined {
  let current: JsonObject = schema;
  for (const step of path) {
    const next = stepSchema(current, step);
    if (next === undefined || next === 'none') return next;
    current = next;
  }
  return current;
}

function stepSchema(schema: JsonObject, step: PathSegment): JsonObject | 'none' | undefined {
  const types = schemaTypes(schema);
  if (typeof step === 'number') {
    if (types !== undefined && !types.includes('array')) return 'none';
    return asSchema(schema['items']);
  }
  if (types !== undefined && !types.includes('object')) return 'none';
  const properties = asSchema(schema['properties']);
  if (properties !== undefined && Object.hasOwn(properties, step)) return asSchema(properties[step]);
  return schema['additionalProperties'] === false ? 'none' : asSchema(schema['additionalProperties']);
}

/** The JSON types a schema allows; undefined when it does not say. */
export function schemaTypes(schema: JsonObject): readonly string[] | undefined {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((name): name is string => typeof name === 'string') : undefined;
}

/** Names a record schema knows; none for open maps. */
export function schemaProperties(schema: JsonObject | 'none' | undefined): readonly string[] {
  if (schema === undefined || schema === 'none') return [];
  return Object.keys(asSchema(schema['properties']) ?? {});
}

/** True when no value can satisfy both. */
export function typesExclude(source: JsonObject, target: JsonObject): boolean {
  const from = schemaTypes(source);
  const to = schemaTypes(target);
  if (from === undefined || to === undefined) return false;
  const numbers = (names: readonly string[]): readonly string[] =>
    names.map((name) => (name === 'integer' ? 'number' : name));
  const wanted = numbers(to);
  return !numbers(from).some((name) => wanted.includes(name));
}

function asSchema(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}
