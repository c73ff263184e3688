import { Environment } from '@marcbachmann/cel-js';
import { didYouMean } from '@platform-sync/core/model/nearest';
import { defined, ownMember } from '@platform-sync/core/model/value';
import { linearPattern, unfitPattern, UnfitPattern } from '@platform-sync/core/model/linear-pattern';

/**
 * CEL, the language of rules. What the library leaves open is settled here, by wrapping the nodes of a checked expression: how much one
 * may cost, patterns on the engine whose time grows with the text alone, and values that no rule sees. The version is pinned for that.
 */

/** Where an expression is wrong, as offsets in it. */
export interface CelFault {
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}

/** What became of an expression over some facts. */
export type CelOutcome =
  | { readonly kind: 'value'; readonly value: unknown }
  /** It rests on what nobody knows yet, or on a secret. A clause says why. */
  | { readonly kind: 'undecided'; readonly why: string }
  /** It asks for what is not there, or takes too much. */
  | { readonly kind: 'failed'; readonly why: string };

export interface CelExpression {
  /** Variables of its environment that it names. */
  readonly names: ReadonlySet<string>;
  /** `bool`, `string`, `dyn` … */
  readonly type: string;
  readonly evaluate: (facts: object) => CelOutcome;
}

/** Stands for a value that no rule sees. */
export class Hole {
  /** Why, as a clause: `id of petstore is known after the apply`. */
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** Lists and maps with a hole somewhere in them: whoever compares or hands on the whole of one meets the hole. */
export const holed = new WeakMap<object, Hole>();

/** A step of an evaluation costs one, and so do 64 characters that it goes through: a hundred milliseconds or so. */
const mostCost = 1_000_000;
/** Of an expression, in nodes and levels. */
const limits = { maxAstNodes: 2_000, maxDepth: 50 };

class HoleRead extends Error {}

class CostExceeded extends Error {}

/** All expressions of one plan together. */
const mostInAll = 100_000_000;

let spentInAll = 0;
let cost = 0;
let depth = 0;

function spend(units: number): void {
  cost += units;
  if (cost > mostCost) throw new CostExceeded();
}

/** What variables without a type of their own have, for those where that is known. */
export type Members = Readonly<Record<string, (Pick<ReadonlySet<string>, 'has'> & Iterable<string>) | undefined>>;

/** What is known by name in every expression; `types` are the classes that stand behind those that are no plain types. */
export interface CelNames {
  readonly variables: Readonly<Record<string, string>>;
  readonly types: readonly {
    readonly name: string;
    readonly ctor: new (...given: never[]) => object;
    readonly fields: Readonly<Record<string, string>>;
  }[];
  /** Names that people look for, and what is said instead of each. */
  readonly instead?: Readonly<Record<string, string>>;
}

export class CelEnvironment {
  readonly #environment: Environment;
  readonly #names: readonly string[];
  readonly #instead: Readonly<Record<string, string>>;

  constructor({ variables, types, instead = {} }: CelNames, base?: CelEnvironment) {
    const environment = base === undefined ? plainEnvironment() : base.#environment.clone();
    for (const { name, ctor, fields } of types) environment.registerType(name, { ctor, fields });
    for (const [name, type] of Object.entries(variables)) environment.registerVariable(name, type);
    this.#environment = environment;
    this.#names = [...(base === undefined ? [] : base.#names), ...Object.keys(variables)];
    this.#instead = base === undefined ? instead : { ...base.#instead, ...instead };
  }

  with(names: CelNames): CelEnvironment {
    return new CelEnvironment(names, this);
  }

  /** A checked expression, or what is wrong with it. */
  compile(text: string, members: Members = {}): CelExpression | CelFault {
    const parsed = attempt(() => this.#environment.parse(text));
    if ('fault' in parsed) return this.#fault(parsed.fault, text);
    const checked = parsed.value.check();
    if (!checked.valid) return this.#fault(checked.error, text);
    const nodes = nodesOf(parsed.value.ast);
    const wrong = nodes
      .map((node) => wrongMember(node, members) ?? wrongPattern(node))
      .find((one) => one !== undefined);
    if (wrong !== undefined) return wrong;
    const own = new Set(nodes.flatMap(({ op, args }) => (op === 'comprehension' ? boundBy(args) : [])));
    const names = new Set(nodes.flatMap(({ op, args }) => (op === 'id' && typeof args === 'string' ? [args] : [])));
    for (const node of nodes) meter(node, nodes);
    return {
      names: new Set([...names].filter((name) => !own.has(name) && this.#names.includes(name))),
      type: checked.type ?? 'dyn',
      evaluate: (facts) => outcomeOf(() => parsed.value(facts)),
    };
  }

  #fault(error: unknown, text: string): CelFault {
    const { summary, range } = detailsOf(error);
    const { start, end } = range ?? { start: 0, end: text.length };
    const [, name = ''] = /^Unknown variable: (.+)$/.exec(summary) ?? [];
    const known = `Known are ${this.#names.join(', ')}.`;
    const ofName = name === '' ? undefined : (ownMember(this.#instead, name) ?? didYouMean(name, this.#names) ?? known);
    const hint = ofName ?? (/^found no matching overload/.test(summary) ? functionsHint : undefined);
    return { message: summary, start, end: Math.max(end, start + 1), ...defined({ hint }) };
  }
}

const functionsHint =
  'Functions are those of CEL itself, known(…) and text.replace(from, to), with arguments of these types.';

function plainEnvironment(): Environment {
  return new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false, limits })
    .registerType('Hole', { ctor: Hole, fields: {} })
    .registerFunction('known(dyn): bool', () => true)
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    );
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly fault: unknown } {
  try {
    return { value: work() };
  } catch (fault) {
    return { fault };
  }
}

/** Begins the account of one plan. */
export function withBudget(): void {
  spentInAll = 0;
}

/** What an expression inside another came to; what it could not come to, that one can't, either. */
export function valueOf(outcome: CelOutcome): unknown {
  if (outcome.kind === 'value') return outcome.value;
  throw outcome.kind === 'undecided' ? new HoleRead(outcome.why) : new Error(outcome.why);
}

/** Evaluations follow one another: each starts at nothing, and pays for those inside it. */
function outcomeOf(evaluate: () => unknown): CelOutcome {
  if (spentInAll > mostInAll) return { kind: 'failed', why: 'the rules of this plan take too many steps together' };
  if (depth === 0) cost = 0;
  depth += 1;
  const found = attempt(evaluate);
  depth -= 1;
  if (depth === 0) spentInAll += cost;
  if (cost > mostCost) return { kind: 'failed', why: 'it takes too many steps' };
  if ('value' in found)
    return found.value instanceof Hole ? { kind: 'undecided', why: found.value.why } : { kind: 'value', ...found };
  const { fault } = found;
  if (fault instanceof HoleRead) return { kind: 'undecided', why: fault.message };
  return { kind: 'failed', why: detailsOf(fault).summary };
}

function detailsOf(error: unknown): {
  readonly summary: string;
  readonly range?: { readonly start: number; readonly end: number };
} {
  if (!(error instanceof Error)) return { summary: String(error) };
  if (error instanceof UnfitPattern) return { summary: `a pattern can't be run: ${error.message}` };
  const summary = 'summary' in error && typeof error.summary === 'string' ? error.summary : error.message;
  const range = 'range' in error ? error.range : undefined;
  if (typeof range !== 'object' || range === null || !('start' in range) || !('end' in range)) return { summary };
  const { start, end } = range;
  return typeof start === 'number' && typeof end === 'number' ? { summary, range: { start, end } } : { summary };
}

type Evaluate = (evaluator: Evaluator, node: Node, context: unknown) => unknown;

interface Evaluator {
  readonly run: (node: Node, context: unknown) => unknown;
}

/** A node of the library's tree, as far as it is touched. */
interface Node {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly setMeta: (key: string, value: unknown) => unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'setMeta' in value && 'meta' in value;
}

/** Every node below one, those that macros stand for included. */
function nodesOf(top: unknown): readonly Node[] {
  const found: Node[] = [];
  const seen = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) return void value.forEach(visit);
    if (!isNode(value)) return isPlain(value) ? Object.values(value).forEach(visit) : undefined;
    found.push(value);
    for (const inside of [value.args, value.meta['alternate'], value.meta['macro']]) visit(inside);
  };
  visit(top);
  return found;
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

function boundBy(args: unknown): readonly string[] {
  const name = typeof args === 'object' && args !== null && 'iterVarName' in args ? args.iterVarName : undefined;
  return typeof name === 'string' ? [name] : [];
}

function argumentsOf({ args }: Node): readonly unknown[] {
  return Array.isArray(args) ? args : [args];
}

function wrongMember(node: Node, members: Members): CelFault | undefined {
  if (node.op !== '.' && node.op !== '.?') return undefined;
  const [of, name] = argumentsOf(node);
  if (!isNode(of) || of.op !== 'id' || typeof of.args !== 'string' || typeof name !== 'string') return undefined;
  const known = ownMember(members, of.args);
  if (known === undefined || known.has(name)) return undefined;
  const message = `No type that the rule is about has a field "${name}"`;
  const hint = didYouMean(name, known) ?? `Fields of the object stand directly in "${of.args}", as the type has them.`;
  return { message, start: node.end - name.length, end: node.end, hint };
}

function wrongPattern(node: Node): CelFault | undefined {
  const pattern = patternOf(node);
  if (pattern === undefined || pattern.op !== 'value' || typeof pattern.args !== 'string') return undefined;
  const unfit = unfitPattern(pattern.args);
  if (unfit === undefined) return undefined;
  return {
    message: `The pattern can't be run: ${unfit.message}`,
    hint: unfit.hint,
    start: pattern.start,
    end: pattern.end,
  };
}

/** The second half of `text.matches(pattern)`. */
function patternOf(node: Node): Node | undefined {
  if (node.op !== 'rcall') return undefined;
  const [method, , given] = argumentsOf(node);
  const pattern = method === 'matches' && Array.isArray(given) ? given[0] : undefined;
  return isNode(pattern) ? pattern : undefined;
}

const comparing: ReadonlySet<string> = new Set(['==', '!=', 'in', '+', '<', '<=', '>', '>=']);
const calling: ReadonlySet<string> = new Set(['call', 'rcall']);

/** Counts what a node costs, and lets nobody past a hole. */
function meter(node: Node, all: readonly Node[]): void {
  const inner = ownEvaluate(node);
  // What stands there as it is costs nothing by itself.
  if (inner === undefined || node.op === 'value') return;
  const plain = isCallOf(node, 'known') ? known : patternOf(node) === undefined ? inner : matches;
  const user = all.find((other) => usesOf(other).includes(node));
  const isCompared = user !== undefined && comparing.has(user.op);
  const isHandedOn = user !== undefined && calling.has(user.op) && !isCallOf(user, 'known');
  const isCall = calling.has(node.op);
  const evaluate: Evaluate = (evaluator, self, context) => {
    spend(1);
    const found = plain(evaluator, self, context);
    if (typeof found === 'string') {
      if ((isCompared || isHandedOn) && found.length > 64) spend(found.length >> 6);
    } else if (typeof found === 'object' && found !== null) {
      const hole = found instanceof Hole ? found : isCompared || isHandedOn ? holed.get(found) : undefined;
      if (hole !== undefined) throw new HoleRead(hole.why);
      if (isCompared) spend(weightOf(found));
      if (isCall && Array.isArray(found)) spend(found.length);
    }
    return found;
  };
  node.setMeta('evaluate', evaluate);
}

function ownEvaluate({ meta }: Node): Evaluate | undefined {
  const { evaluate } = meta;
  return isEvaluate(evaluate) ? evaluate : undefined;
}

function isEvaluate(value: unknown): value is Evaluate {
  return typeof value === 'function';
}

function isCallOf(node: Node, name: string): boolean {
  return node.op === 'call' && argumentsOf(node)[0] === name;
}

/** The nodes whose values a node works with. */
function usesOf(node: Node): readonly unknown[] {
  if (comparing.has(node.op)) return argumentsOf(node);
  if (!calling.has(node.op)) return [];
  return argumentsOf(node).flatMap((each): readonly unknown[] => (Array.isArray(each) ? each : [each]));
}

const known: Evaluate = (evaluator, node, context) => {
  const given = argumentsOf(node)[1];
  const [asked] = Array.isArray(given) ? given : [];
  if (!isNode(asked)) return true;
  const found = attempt(() => evaluator.run(asked, context));
  if ('fault' in found) {
    if (found.fault instanceof HoleRead) return false;
    throw found.fault;
  }
  const { value } = found;
  return !(value instanceof Hole) && !(typeof value === 'object' && value !== null && holed.has(value));
};

const matches: Evaluate = (evaluator, node, context) => {
  const [, text] = argumentsOf(node);
  const pattern = patternOf(node);
  if (!isNode(text) || pattern === undefined) throw new Error('bug: a pattern without a text');
  const [read, source] = [evaluator.run(text, context), evaluator.run(pattern, context)];
  if (typeof read !== 'string' || typeof source !== 'string') throw new Error('matches compares a text with a pattern');
  if (pattern.op !== 'value') spend(1_000);
  spend(read.length >> 2);
  return linearPattern(source).test(read);
};

const weights = new WeakMap<object, number>();

/** How much there is to go through when a value is compared. */
function weightOf(value: object): number {
  const found = weights.get(value);
  if (found !== undefined) return found;
  const parts: readonly unknown[] = Array.isArray(value) ? value : isPlain(value) ? Object.values(value) : [];
  let weight = 1;
  for (const part of parts)
    weight +=
      typeof part === 'string'
        ? 1 + (part.length >> 6)
        : typeof part === 'object' && part !== null
          ? weightOf(part)
          : 1;
  weights.set(value, weight);
  return weight;
}
