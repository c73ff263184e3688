import { reportViolations } from '@platform-sync/catalogue/check/violations';
import type { Hole } from '@platform-sync/catalogue/build/known-value';
import { Problems } from '@platform-sync/catalogue/problem/problems';
import { followsFrom } from '@platform-sync/core/model/broken-rule';
import type { Expression, PathSegment } from '@platform-sync/core/model/expression';
import { pointerKeys } from '@platform-sync/core/model/json-pointer';
import type { SchemaViolation } from '@platform-sync/core/model/provider';
import {
  isObject,
  isSecret,
  isUnknown,
  type JsonObject,
  type Scalar,
  type Value,
  type ValueObject,
} from '@platform-sync/core/model/value';

export interface Failure {
  /** Path of the property: `labels["_x"]`; empty for a rule about several. */
  readonly property: string;
  readonly reason: string;
}

/** What has the values: what it is called, and what it may have. */
interface Owner {
  readonly name: string;
  readonly schema: JsonObject;
}

/** Programs have no place that a message could name. */
const nowhere = { file: '', start: 0, end: 0 };

/** Broken rules in the words in which a catalogue hears of them; of a secret they say that it breaks one. */
export function failuresOf(
  violations: readonly SchemaViolation[],
  values: ValueObject,
  { name, schema }: Owner,
): readonly Failure[] {
  const written = expressionOf(values);
  const holes = secretsIn(values, []);
  return violations
    .filter((one) => !followsFrom(one, violations))
    .flatMap((violation) => {
      const problems = new Problems();
      reportViolations([violation], { value: () => written, name, at: nowhere, schema, holes }, { problems });
      const property = pathText(pathOf(violation), values);
      return problems
        .diagnostics({ place: () => ({ file: '', line: 1, column: 1 }) })
        .map(({ summary, detail, hint }) => ({ property, reason: [summary, detail, hint].filter(Boolean).join(' ') }));
    });
}

function expressionOf(value: Value): Expression {
  if (isSecret(value)) return { kind: 'secret', value: expressionOf(value.value), text: '(secret)', at: nowhere };
  if (isUnknown(value)) return { kind: 'literal', value: null, at: nowhere };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(expressionOf), at: nowhere };
  if (!isObject(value)) return { kind: 'literal', value: value as Scalar, at: nowhere };
  const entries = Object.entries(value).map(
    ([name, part]) => [name, { key: nowhere, value: expressionOf(part) }] as const,
  );
  return { kind: 'map', entries: new Map(entries), at: nowhere };
}

function secretsIn(value: Value, path: readonly PathSegment[]): readonly Hole[] {
  if (isSecret(value)) return [{ path, expression: expressionOf(value), secret: true }];
  if (Array.isArray(value)) return value.flatMap((item, at) => secretsIn(item, [...path, at]));
  return isObject(value) ? Object.entries(value).flatMap(([name, part]) => secretsIn(part, [...path, name])) : [];
}

/** A message about the key of a map and a property that is not there names that. */
function pathOf({ pointer, params }: SchemaViolation): readonly string[] {
  const extra = params['propertyName'] ?? params['additionalProperty'] ?? params['missingProperty'];
  const path = pointerKeys(pointer);
  return typeof extra === 'string' ? [...path, extra] : path;
}

function pathText(path: readonly string[], value: ValueObject): string {
  const [first = '', ...rest] = path;
  let text = first;
  let at: unknown = value[first];
  for (const part of rest) {
    if (Array.isArray(at)) text += `[${part}]`;
    else text += /^[A-Za-z]\w*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    at = typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[part] : undefined;
  }
  return text;
}
