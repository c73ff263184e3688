import type { Expression } from '@platform-sync/core/model/expression';
import type { Json } from '@platform-sync/core/model/value';
import type { BuildContext } from '../read/build-context.js';

/** A setting's JSON with environment variables read, and every literal that went into it. */
interface PlainValue {
  readonly value: Json;
  readonly used: readonly Expression[];
  /** True when `!env` or `!secret` is part of it. */
  readonly secret: boolean;
}

/** The variable that gives a whole value (`!env NAME`, `!secret` around it); undefined for any other. */
export function variableOf(expression: Expression): string | undefined {
  if (expression.kind !== 'secret') return undefined;
  return /^!env (.+)$/s.exec(expression.text)?.[1] ?? variableOf(expression.value);
}

/** Works out a value of sync.yaml, where only `!env` and `!secret` may stand beside plain values. */
export function plainValue(expression: Expression, context: BuildContext): PlainValue {
  const used: Expression[] = [];
  let secret = false;
  const visit = (part: Expression): Json => {
    switch (part.kind) {
      case 'literal':
        used.push(part);
        return part.value;
      case 'list':
        return part.items.map(visit);
      case 'map':
        return Object.fromEntries([...part.entries].map(([name, entry]) => [name, visit(entry.value)]));
      case 'secret':
        secret = true;
        return visit(part.value);
      default:
        context.problems.add(
          'bad-setting',
          part.at,
          'sync.yaml takes plain values and !env, no references or other functions.',
        );
        context.broken.add(part);
        return null;
    }
  };
  return { value: visit(expression), used, secret };
}
