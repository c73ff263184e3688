import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { Chance } from './chance.js';
import type { PlantedBug } from './planted.js';

const rooms = ['src/engine/engine/apply', 'src/engine/engine/refresh', 'src/engine/state'];
/**
 * Not in any world: other databases, files that hold a state, the queue and the rates of a fleet, and who is told its news. What makes the
 * text of statements is kept from one world to the next.
 */
const elsewhere =
  /^sql\.ts$|postgres|sqlite|pool|memory|state-file|document|diagnose|migrations|read-only|open\.ts$|^fleet-|rate-ledger|sql-rates/;
const notAsked: ReadonlySet<string> = new Set(['takeNews', 'closeNews', 'newsAfter', 'writeRunNews', 'pruneRuns']);
/** What only chooses words: an error is told by its code, and what a run shows is held against what it did. */
const words = /^(?:readonly )?(?:Diagnostic(?:Error)?|StateStoreError|StepFailure|LeaseHolder)\b/;
const wordMembers = /^(?:summary|hint|detail)$/;
const told = /^(?:(?:this\.)?#?\w*(?:onEvent|setMaxListeners|shareTexts)|context\.onEvent)\(/;
const turned = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
]);
/** Larger numbers are limits and times that nothing depends on so exactly. */
const fewest = 10;
const joining: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);
/** What is taken for one another. */
const alike = new Map(
  [
    ['some', 'every'],
    ['inputs', 'outputs'],
    ['actual', 'recorded'],
    ['createdAt', 'writtenAt'],
    ['before', 'after'],
  ].flatMap(([one = '', other = '']) => [[one, other] as const, [other, one] as const]),
);

/**
 * So many small mistakes in apply, refresh and state, the same for each number: a comparison turned round, a condition, a part of it, a
 * call or an await left out, another number, or what is taken for one another.
 */
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
  const replace: Replace = (node, by, whole = node) => {
    const [from, to] = [node.getStart(), node.getEnd()];
    const now = text.slice(whole.getStart(), from) + by + text.slice(to, whole.getEnd());
    const place = `${file.split('/').slice(-2).join('/')} ${nameOfPlace(node)}`;
    const name = `${place}: ${short(whole.getText())} → ${short(now)}`;
    found.push({ name, file, before: text, after: text.slice(0, from) + by + text.slice(to) });
  };
  // What is done when a source is loaded can't be turned on and off.
  const look = (node: ts.Node, isInside: boolean): void => {
    if (isOfWords(node)) return;
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
    if (isInside) mistakesIn(node, replace);
    ts.forEachChild(node, (child) => look(child, isInside || child === body));
  };
  look(source, false);
  return found;
}

/** `whole`: by which it is told, where the part alone says little. */
type Replace = (node: ts.Node, by: string, whole?: ts.Node) => void;

function short(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 110);
}

/** The function around it that has a name. */
function nameOfPlace(node: ts.Node): string {
  for (let each = node.parent; !ts.isSourceFile(each); each = each.parent) {
    if (ts.isConstructorDeclaration(each)) return 'constructor';
    if (ts.isFunctionLike(each) && each.name !== undefined) return each.name.getText();
  }
  return '';
}

function mistakesIn(node: ts.Node, replace: Replace): void {
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    const other = turned.get(operatorToken.kind);
    if (other !== undefined && !isText(left) && !isText(right) && !isCondition(node))
      replace(operatorToken, other, node);
    if (joining.has(operatorToken.kind)) for (const part of [left, right]) replace(node, `(${part.getText()})`);
  }
  if (ts.isIfStatement(node)) for (const by of ['false', 'true']) replace(node.expression, by);
  if (ts.isConditionalExpression(node))
    for (const by of [node.whenTrue, node.whenFalse]) replace(node, `(${by.getText()})`);
  if (ts.isNumericLiteral(node) && !ts.isTypeNode(node.parent) && Number(node.text) < fewest)
    replace(node, String(Number(node.text) + 1), node.parent);
  if (ts.isPropertyAccessExpression(node)) {
    const other = alike.get(node.name.text);
    if (other !== undefined) replace(node.name, other, node);
  }
  if (!ts.isExpressionStatement(node)) return;
  const text = node.getText();
  if (!/^(?:await )?[\w.#]+\(/.test(text) || text.startsWith('super(')) return;
  replace(node, ';');
  if (ts.isAwaitExpression(node.expression)) replace(node.expression, node.expression.expression.getText());
}

/** Always and never so is tried of it as a whole. */
function isCondition(node: ts.Expression): boolean {
  return (
    (ts.isIfStatement(node.parent) && node.parent.expression === node) ||
    (ts.isConditionalExpression(node.parent) && node.parent.condition === node)
  );
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteral(node) || ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node);
}

/** What no world is to tell: how something is said, and what is asked for by a part of the program that is in none. */
function isOfWords(node: ts.Node): boolean {
  if (ts.isThrowStatement(node) || ts.isNewExpression(node)) return /^(?:throw )?new \w*Error\(/.test(node.getText());
  if (ts.isPropertyAssignment(node)) return wordMembers.test(node.name.getText());
  if (ts.isExpressionStatement(node)) return told.test(node.getText());
  if (ts.isIfStatement(node) && /\bnew Error\([`']bug: /.test(node.thenStatement.getText())) return true;
  if (!ts.isFunctionLike(node)) return false;
  const name = node.name?.getText() ?? '';
  return notAsked.has(name) || words.test(node.type?.getText() ?? '');
}
