import type { Expression } from '@platform-sync/core/model/expression';

/** An expression without its places, for comparisons. */
export function plain(expression: Expression | undefined): unknown {
  if (expression === undefined) return undefined;
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'list':
      return expression.items.map(plain);
    case 'map':
      return Object.fromEntries([...expression.entries].map(([name, entry]) => [name, plain(entry.value)]));
    case 'reference':
      return { [`$${expression.to}`]: expression.target, path: expression.path };
    case 'interpolation':
      return { $text: expression.parts.map((part) => (typeof part === 'string' ? part : plain(part))) };
    case 'secret':
      return { $secret: expression.text, value: plain(expression.value) };
    case 'toJson':
      return { $json: plain(expression.value) };
    case 'join':
      return { $join: [plain(expression.separator), plain(expression.items)] };
    case 'lookup':
      return {
        $lookup: expression.function,
        arguments: plain(expression.arguments),
        ...(expression.return !== undefined && { return: expression.return }),
      };
  }
}
