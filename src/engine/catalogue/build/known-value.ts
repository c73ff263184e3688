import type { Expression, PathSegment, ReferenceExpression } from '@platform-sync/core/model/expression';
import type { Json } from '@platform-sync/core/model/value';

/** What known values are worked out from. */
export interface ValueScope {
  readonly variables: ReadonlyMap<string, Expression>;
  /** Variables without a value: they take part in a cycle, or grow beyond all limits. */
  readonly unusable: ReadonlySet<string>;
  readonly broken: WeakSet<Expression>;
}

/** A part of a value that is not known before the run: the reference, lookup or mixed text that stands there. */
export interface Hole {
  readonly path: readonly PathSegment[];
  readonly expression: Expression;
  /** It is known, and a secret: rules may be held against it, and nothing is told of it but that it breaks one. */
  readonly secret?: true;
}

/** What stands for an unknown part while the rest is checked. */
export const placeholder = '(unknown)';

/** The value of an expression as far as files and environment tell; unknown parts are collected in `holes`. */
export function knownValue(expression: Expression, scope: ValueScope, holes: Hole[], path: PathSegment[] = []): Json {
  // Most values are, and need none of what follows.
  if (expression.kind === 'literal' && expression.value !== null && expression.hidden === undefined)
    return expression.value;
  const hole = (): Json => {
    holes.push({ path: [...path], expression });
    return placeholder;
  };
  const secret = (value: Json): Json => {
    holes.push({ path: [...path], expression, secret: true });
    return value;
  };
  const part = (inner: Expression, step: PathSegment): Json => {
    path.push(step);
    const value = knownValue(inner, scope, holes, path);
    path.pop();
    return value;
  };
  switch (expression.kind) {
    case 'literal':
      // What stands for a broken value is null; what a secret holds may be nobody's to know.
      if (expression.hidden === true) return hole();
      return expression.value === null && scope.broken.has(expression) ? hole() : expression.value;
    case 'list':
      return expression.items.map(part);
    case 'map':
      return Object.fromEntries([...expression.entries].map(([name, entry]) => [name, part(entry.value, name)]));
    case 'secret': {
      const inner: Hole[] = [];
      const value = knownValue(expression.value, scope, inner);
      return inner.every((each) => each.secret) ? secret(value) : hole();
    }
    case 'reference': {
      const found = followReference(expression, scope);
      return found === undefined || found.rest.length > 0 || found.expression === expression
        ? hole()
        : knownValue(found.expression, scope, holes, path);
    }
    default: {
      const inner: Hole[] = [];
      const text = knownText(expression, scope, inner);
      if (text === undefined || !inner.every((each) => each.secret)) return hole();
      return inner.length === 0 ? text : secret(text);
    }
  }
}

/** Text of an expression that makes text; undefined for another one. */
function knownText(expression: Expression, scope: ValueScope, inner: Hole[]): string | undefined {
  const value = (part: Expression): Json => knownValue(part, scope, inner);
  let text: string | undefined;
  if (expression.kind === 'interpolation') {
    text = expression.parts.map((part) => (typeof part === 'string' ? part : asText(value(part)))).join('');
  } else if (expression.kind === 'toJson') {
    text = JSON.stringify(value(expression.value));
  } else if (expression.kind === 'join') {
    const items = value(expression.items);
    text = Array.isArray(items)
      ? items.map((item: Json) => asText(item)).join(asText(value(expression.separator)))
      : undefined;
  }
  return text;
}

function asText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where a reference through variables ends: at an expression, and the steps that can't be taken before the run. */
interface Followed {
  readonly expression: Expression;
  readonly rest: readonly PathSegment[];
  /** A key or index the value is known not to have. */
  readonly missing?: { readonly step: PathSegment; readonly known: readonly string[] };
}

/** Follows a reference to a variable, and on through what that refers to. Undefined in a cycle or for no variable. */
export function followReference(reference: ReferenceExpression, scope: ValueScope): Followed | undefined {
  if (reference.to === 'resource') return { expression: reference, rest: [] };
  let current: Expression = reference;
  let rest: readonly PathSegment[] = [];
  for (let hops = 0; hops <= scope.variables.size; hops++) {
    if (current.kind !== 'reference' || current.to === 'resource') return { expression: current, rest };
    const value = scope.unusable.has(current.target) ? undefined : scope.variables.get(current.target);
    if (value === undefined) return undefined;
    const stepped = stepInto(value, [...current.path, ...rest]);
    if (stepped.missing !== undefined) return stepped;
    current = stepped.expression;
    rest = stepped.rest;
  }
  return undefined;
}

function stepInto(value: Expression, path: readonly PathSegment[]): Followed {
  let current = value;
  for (const [index, step] of path.entries()) {
    // Which keys a secret has is told nobody; what follows a step into one is as secret.
    if (current.kind === 'secret') return { expression: current, rest: path.slice(index) };
    let next: Expression | undefined;
    let known: readonly string[] = [];
    if (current.kind === 'map') {
      next = current.entries.get(String(step))?.value;
      known = [...current.entries.keys()];
    } else if (current.kind === 'list') {
      next = typeof step === 'number' ? current.items[step] : undefined;
    } else if (current.kind !== 'literal') {
      return { expression: current, rest: path.slice(index) };
    }
    if (next === undefined) return { expression: current, rest: path.slice(index), missing: { step, known } };
    current = next;
  }
  return { expression: current, rest: [] };
}
