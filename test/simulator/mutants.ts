import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { Chance } from './chance.js';
import type { PlantedBug } from './planted.js';

const rooms = ['src/engine/engine/apply', 'src/engine/engine/refresh', 'src/engine/state'];
/**
 * Not in any world: other databases, files that hold a state, and the queue and the rates of a fleet. What makes the text of statements is
 * kept from one world to the next.
 */
const elsewhere =
  /^sql\.ts$|postgres|sqlite|state-file|push|document|diagnose|migrations|read-only|open\.ts$|^fleet-|rate-ledger|sql-rates/;
const turned = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
]);

/** So many small mistakes in apply, refresh and state, the same for each number: a condition turned round, or a call left out. */
export function mutants(root: string, count: number, seed: number): readonly PlantedBug[] {
  const files = rooms.flatMap((room) =>
    readdirSync(join(root, room))
      .filter((name) => name.endsWith('.ts') && !elsewhere.test(name))
      .map((name) => `${room}/${name}`),
  );
  const all = files.sort().flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8')));
  const chance = new Chance(seed, 'mutants');
  return Array.from({ length: Math.min(count, all.length) }, () =>
    all.splice(chance.between(0, all.length - 1), 1),
  ).flat();
}

function mutantsOf(file: string, text: string): readonly PlantedBug[] {
  const found: PlantedBug[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const replace = (node: ts.Node, by: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    const after = text.slice(0, node.getStart()) + by + text.slice(node.getEnd());
    found.push({
      name: `${file}:${String(line + 1)} ${node.getText().slice(0, 60)} → ${by}`,
      file,
      before: text,
      after,
    });
  };
  // What is done when a source is loaded can't be turned on and off.
  const look = (node: ts.Node, isInside: boolean): void => {
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
    if (!isInside) return ts.forEachChild(node, (child) => look(child, child === body));
    if (ts.isBinaryExpression(node)) {
      const other = turned.get(node.operatorToken.kind);
      if (other !== undefined) replace(node.operatorToken, other);
    }
    if (ts.isIfStatement(node)) replace(node.expression, `!(${node.expression.getText()})`);
    const isCall = ts.isExpressionStatement(node) && /^(?:await )?[\w.#]+\(/.test(node.getText());
    if (isCall && !node.getText().startsWith('super(')) replace(node, ';');
    ts.forEachChild(node, (child) => look(child, true));
  };
  look(source, false);
  return found;
}
