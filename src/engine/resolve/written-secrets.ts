import type { Expression } from '../model/expression.js';

/** Texts that stand in secret parts of an expression as they are (`!env NAME`, read), without evaluating anything. */
export function writtenSecrets(expression: Expression): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown, isInside: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    const { kind, value } = node as { readonly kind?: unknown; readonly value?: unknown };
    if (isInside && kind === 'literal' && typeof value === 'string') found.push(value);
    const members = node instanceof Map ? node.values() : Object.values(node);
    for (const member of members) visit(member, isInside || kind === 'secret');
  };
  visit(expression, false);
  return found;
}
