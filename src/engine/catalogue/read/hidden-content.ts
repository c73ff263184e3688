import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { BuildContext } from './build-context.js';

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
