import type { Expression } from '@platform-sync/core/model/expression';
import { isList, isObject, type Json } from '@platform-sync/core/model/value';
import { splitTemplate } from '../read/template-text.js';

/** A value as a file spells it: what looks like a reference is none. `$${` stands for `${`; keys are never read as references. */
export function asTemplate(value: Json): Json {
  return mapped(value, (text) => text.replaceAll('${', '$$${'));
}

/** The same of what is made of plain values and ids of resources; undefined: of anything else, too. */
export function templateOf(expression: Expression): Json | undefined {
  switch (expression.kind) {
    case 'literal':
      return expression.unset === true || expression.hidden === true ? undefined : asTemplate(expression.value);
    case 'reference':
      return expression.to === 'resource' && expression.path.join('.') === 'id'
        ? `\${${expression.target}.id}`
        : undefined;
    case 'list': {
      const items = expression.items.map(templateOf);
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    case 'map': {
      const members = [...expression.entries].flatMap(([key, { value }]): readonly (readonly [string, Json])[] => {
        const spelt = templateOf(value);
        return spelt === undefined ? [] : [[key, spelt]];
      });
      return members.length === expression.entries.size ? Object.fromEntries(members) : undefined;
    }
    default:
      return undefined;
  }
}

/** The text that a template without references stands for. */
export function plainText(template: Json | undefined): string | undefined {
  if (typeof template !== 'string') return undefined;
  const parts = splitTemplate(template);
  return parts?.every((part) => typeof part === 'string') === true ? parts.join('') : undefined;
}

function mapped(value: Json, text: (value: string) => string): Json {
  if (typeof value === 'string') return text(value);
  if (isList(value)) return value.map((item: Json) => mapped(item, text));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapped(member, text)]));
}
