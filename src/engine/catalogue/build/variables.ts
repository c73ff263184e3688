import type { Expression, MapEntry, ReferenceExpression } from '@platform-sync/core/model/expression';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { brokenValue, type BuildContext } from '../read/build-context.js';
import type { Catalogue } from './catalogue.js';
import type { Referring } from './references.js';

/** Names that mean something of their own in references: no resource and no variable has them. */
export const builtInNames: readonly string[] = ['param', 'project', 'stack'];

/** The values behind those names: variables that no file declares. */
export function builtInVariables(
  { project, stack, parameters }: ProjectConfig,
  context: BuildContext,
): ReadonlyMap<string, Expression> {
  const at: SourceRange = { file: 'sync.yaml', start: 0, end: 0 };
  const entries = new Map<string, MapEntry>();
  for (const [name, value] of parameters?.values ?? [])
    entries.set(name, { key: at, value: value ?? brokenValue(context, at) });
  return new Map<string, Expression>([
    ['param', { kind: 'map', entries, at }],
    ['project', { kind: 'literal', value: project, at }],
    ['stack', { kind: 'literal', value: stack, at }],
  ]);
}

/** Variables without those that no file declares. */
export function declaredVariables(variables: ReadonlyMap<string, Expression>): ReadonlyMap<string, Expression> {
  return new Map([...variables].filter(([name]) => !builtInNames.includes(name)));
}

/** Variables may refer to variables this many times over: evaluation goes as deep. */
const maxDepth = 100;
/** What one expression may stand for once its variables are put in: values, a hundred characters counting as one. */
const maxWeight = 1_000_000;

interface Size {
  readonly depth: number;
  readonly weight: number;
}

/**
 * Refuses variables that refer to each other too deeply or, like an alias bomb, multiply without limit. `order` has
 * each name after what it needs. Returns all variables without a usable value, `cyclic` ones included.
 */
export function limitVariables(
  catalogue: Catalogue,
  referring: readonly Referring[],
  order: readonly string[],
  cyclic: ReadonlySet<string>,
  context: BuildContext,
): ReadonlySet<string> {
  const unusable = new Set(cyclic);
  if (catalogue.variables.size === 0) return unusable;
  const sizes = new Map<string, Size>();
  for (const name of order) {
    const value = catalogue.variables.get(name);
    if (value === undefined || cyclic.has(name)) continue;
    const size = sizeOf(value, sizes);
    if (isTooLarge(size, value.at, context)) unusable.add(name);
    else sizes.set(name, size);
  }
  for (const { references, values } of referring) {
    if (references.every(({ to }) => to === 'resource')) continue;
    for (const value of values) isTooLarge(sizeOf(value, sizes), value.at, context);
  }
  return unusable;
}

function isTooLarge({ depth, weight }: Size, at: SourceRange, { problems }: BuildContext): boolean {
  if (depth > maxDepth) {
    problems.add('nesting-too-deep', at, `Variables refer to variables more than ${String(maxDepth)} times over.`);
  } else if (weight > maxWeight) {
    problems.add('alias-bomb', at, 'Variables multiply to over a million values.', {
      detail: 'Nested variables turn a small text into a gigantic one.',
    });
  }
  return depth > maxDepth || weight > maxWeight;
}

const none: Size = { depth: 0, weight: 0 };

function sizeOf(expression: Expression, sizes: ReadonlyMap<string, Size>): Size {
  switch (expression.kind) {
    case 'literal':
      return { depth: 0, weight: typeof expression.value === 'string' ? expression.value.length / 100 : 1 };
    case 'reference':
      return referenceSize(expression, sizes);
    case 'list':
      return sum(expression.items, sizes);
    case 'map':
      return sum(
        [...expression.entries.values()].map((entry) => entry.value),
        sizes,
      );
    case 'interpolation':
      return sum(
        expression.parts.filter((part) => typeof part !== 'string'),
        sizes,
      );
    case 'secret':
    case 'toJson':
      return sizeOf(expression.value, sizes);
    case 'join':
      return sum([expression.separator, expression.items], sizes);
    case 'lookup':
      return sizeOf(expression.arguments, sizes);
  }
}

function referenceSize({ to, target }: ReferenceExpression, sizes: ReadonlyMap<string, Size>): Size {
  const size = to === 'variable' ? (sizes.get(target) ?? none) : none;
  return { depth: size.depth + 1, weight: size.weight + 1 };
}

function sum(parts: readonly Expression[], sizes: ReadonlyMap<string, Size>): Size {
  let depth = 0;
  let weight = 1;
  for (const part of parts) {
    const size = sizeOf(part, sizes);
    depth = Math.max(depth, size.depth);
    weight += size.weight;
  }
  return { depth, weight };
}
