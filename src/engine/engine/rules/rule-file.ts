import { globOf, badGlob } from '@platform-sync/core/model/glob';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { Action } from '@platform-sync/core/model/plan';
import type { RuleText } from '@platform-sync/core/model/project';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import { defined, isObject, type JsonObject } from '@platform-sync/core/model/value';
import type { RuleCode } from '@platform-sync/core/generated/codes';
import { Problems } from '@platform-sync/catalogue/problem/problems';
import { SourceFiles } from '@platform-sync/catalogue/read/file-texts';
import type { YamlNode, YamlScalar } from '@platform-sync/catalogue/read/yaml-events';
import { foreignJson, readForeign } from '@platform-sync/catalogue/sources/foreign-yaml';
import { CelEnvironment, type CelExpression, type CelFault, valueOf } from './cel.js';
import { names } from './facts.js';

/** How much weight a rule has: a word, a question that needs a reason, or the end of it. */
type RuleLevel = 'advise' | 'warn' | 'deny';

/** One thing that plans have to be like. */
export interface Rule {
  readonly name: string;
  readonly level: RuleLevel;
  readonly file: string;
  /** `policies/owner.yaml:3`. */
  readonly place: string;
  /** Which steps it is about; absent: of any type, action or address. */
  readonly types?: ReadonlySet<string>;
  readonly actions?: ReadonlySet<string>;
  readonly isAt?: (address: string) => boolean;
  /** What its expressions name. */
  readonly names: ReadonlySet<string>;
  /** It is about the plan as a whole: no expression of it names a step. */
  readonly isOfPlan: boolean;
  /** Where not all of them hold, it says nothing. */
  readonly conditions: readonly CelExpression[];
  readonly expression: CelExpression;
  readonly message: string | CelExpression;
  /** What stands for `variables` while it is asked about some facts. */
  readonly variablesOver: (facts: object) => object;
}

/** A made-up step, and which rules of its file it breaks. */
export interface RuleCase {
  readonly name: string;
  readonly file: string;
  readonly place: string;
  readonly facts: JsonObject;
  readonly breaks: readonly string[];
}

export interface RuleSet {
  readonly rules: readonly Rule[];
  readonly cases: readonly RuleCase[];
  readonly diagnostics: readonly Diagnostic[];
}

const actions: readonly Action[] = ['create', 'update', 'replace', 'delete', 'forget', 'adopt', 'move', 'options'];
const levels: readonly RuleLevel[] = ['advise', 'warn', 'deny'];

const keys = {
  file: ['variables', 'rules', 'tests'],
  rule: ['name', 'level', 'match', 'matchConditions', 'variables', 'expression', 'message', 'messageExpression'],
  match: ['types', 'actions', 'addresses'],
  named: ['name', 'expression'],
  test: ['name', 'step', 'old', 'new', 'plan', 'resource', 'spec', 'breaks'],
};

/** Reads files of rules and checks every expression: all that is wrong, each at its place. `types`: those that rules may be about. */
export function readRules(files: readonly RuleText[], types: ReadonlyMap<string, ResourceType>): RuleSet {
  const sources = new SourceFiles();
  const base = new CelEnvironment(names);
  const read = files.map((file) => new RuleFile(file, sources, base, types));
  for (const each of read) each.read();
  const rules = read.flatMap((each) => each.rules);
  const seen = new Map<string, Rule>();
  const twice: Diagnostic[] = [];
  for (const rule of rules) {
    const first = seen.get(rule.name);
    if (first === undefined) seen.set(rule.name, rule);
    else twice.push(namedTwice(rule, first));
  }
  return {
    rules,
    cases: read.flatMap((each) => each.cases),
    diagnostics: [...read.flatMap((each) => each.diagnostics()), ...twice],
  };
}

function namedTwice(rule: Rule, first: Rule): Diagnostic {
  const summary = `Two rules are called "${rule.name}": at ${first.place} and at ${rule.place}.`;
  return {
    severity: 'error',
    code: 'policy-rule',
    summary,
    hint: 'A reason is given to a rule by its name: rename one.',
  };
}

class RuleFile {
  readonly rules: Rule[] = [];
  readonly cases: RuleCase[] = [];
  readonly #file: string;
  readonly #text: string;
  readonly #sources: SourceFiles;
  readonly #base: CelEnvironment;
  readonly #types: ReadonlyMap<string, ResourceType>;
  readonly #syntax = new Problems();
  readonly #found: Diagnostic[] = [];

  constructor(
    { file, text }: RuleText,
    sources: SourceFiles,
    base: CelEnvironment,
    types: ReadonlyMap<string, ResourceType>,
  ) {
    sources.add(file, text);
    this.#file = file;
    this.#text = text;
    this.#sources = sources;
    this.#base = base;
    this.#types = types;
  }

  diagnostics(): readonly Diagnostic[] {
    return [...this.#syntax.diagnostics(this.#sources), ...this.#found];
  }

  read(): void {
    const top = readForeign(this.#file, this.#text, { problems: this.#syntax });
    if (top === undefined) return;
    if (top === 'empty') return this.#wrong({ start: 0, end: 0 }, 'The file holds no rules.', { hint: example });
    const members = this.#members(top, 'A file of rules', keys.file);
    if (members === undefined) return;
    const shared = this.#named(members.get('variables'), 'variables');
    const rules = this.#items(members.get('rules'), 'rules');
    for (const item of rules) this.#rule(item, shared);
    for (const item of this.#items(members.get('tests'), 'tests')) this.#case(item);
    if (!members.has('rules')) this.#wrong(top, 'The file holds no "rules".', { hint: example });
  }

  #rule(node: YamlNode, shared: readonly Named[]): void {
    const members = this.#members(node, 'A rule', keys.rule);
    if (members === undefined) return;
    const name = this.#string(members, 'name', node, /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/);
    const level = this.#word(members.get('level'), 'level', levels) ?? 'warn';
    const match = this.#match(members.get('match'));
    const fields = fieldsOf(match.types, this.#types);
    const scope = this.#variables([...shared, ...this.#named(members.get('variables'), 'variables')], fields);
    const compile = (of: YamlNode | undefined, want: string): CelExpression | undefined =>
      of === undefined ? undefined : this.#expression(of, scope, want);
    const conditions = this.#named(members.get('matchConditions'), 'matchConditions').map(({ expression }) =>
      compile(expression, 'bool'),
    );
    if (!members.has('expression'))
      this.#wrong(node, 'A rule needs an "expression" that is true where all is well.', { hint: example });
    const expression = compile(members.get('expression'), 'bool');
    const said = compile(members.get('messageExpression'), 'string');
    const plain = this.#plainText(members.get('message'), 'message');
    const known = [expression, ...conditions, said].filter((one) => one !== undefined);
    if (name === undefined || expression === undefined) return;
    const used = new Set(known.flatMap((one) => [...one.names]));
    const about = used.has('variables') ? scope.names : new Set<string>();
    const all = new Set([...used, ...about]);
    const isOfStep = [...all].some((one) => ofStep.has(one)) || members.has('match');
    this.rules.push({
      ...{ name, level, file: this.#file, place: this.#placeText(node), expression, names: all, isOfPlan: !isOfStep },
      ...match,
      conditions: conditions.filter((one) => one !== undefined),
      message: said ?? plain ?? this.#source(members.get('expression')),
      variablesOver: scope.over,
    });
  }

  #match(node: YamlNode | undefined): Pick<Rule, 'types' | 'actions' | 'isAt'> {
    if (node === undefined) return {};
    const members = this.#members(node, '"match"', keys.match);
    const list = (name: string): readonly YamlScalar[] =>
      this.#items(members?.get(name), `match.${name}`).filter(isText);
    const known = new Map([...this.#types.keys()].map((token) => [shortToken(token), token]));
    const types = list('types').flatMap((item) => {
      const token =
        known.get(item.text) ??
        known.get(`platform:${item.text}`) ??
        (this.#types.has(item.text) ? item.text : undefined);
      if (token !== undefined) return [token];
      this.#wrong(item, `There is no type "${item.text}".`, defined({ hint: didYouMean(item.text, known.keys()) }));
      return [];
    });
    const acting = list('actions').flatMap((item) => this.#word(item, 'actions', actions) ?? []);
    const globs = list('addresses').flatMap((item) => {
      const bad = badGlob(item.text);
      if (bad === undefined) return [globOf(item.text)];
      this.#wrong(item, `The pattern ${item.text} can't be read: ${bad.message}.`, defined({ hint: bad.hint }));
      return [];
    });
    return {
      ...(members?.has('types') === true ? { types: new Set(types) } : {}),
      ...(members?.has('actions') === true ? { actions: new Set(acting) } : {}),
      ...(globs.length === 0 ? {} : { isAt: (address: string) => globs.some((glob) => glob.test(address)) }),
    };
  }

  /** Variables see those before them. */
  #variables(named: readonly Named[], fields: Fields): Scope {
    let environment = this.#base;
    const types = new Map<string, string>();
    const inside = new Set<string>();
    const ctor = variablesClass();
    for (const { name, expression } of named) {
      const compiled = this.#expression(expression, { environment, fields }, 'dyn');
      types.set(name, variableType(compiled?.type ?? 'dyn'));
      if (compiled !== undefined) addVariable(ctor, name, compiled);
      for (const one of compiled?.names ?? []) inside.add(one);
      const known = {
        types: [{ name: 'Variables', ctor, fields: Object.fromEntries(types) }],
        variables: { variables: 'Variables' },
      };
      environment = this.#base.with(known);
    }
    return { environment, fields, names: inside, over: (facts) => new ctor(facts) };
  }

  #expression(
    node: YamlNode,
    { environment, fields }: Pick<Scope, 'environment' | 'fields'>,
    want: string,
  ): CelExpression | undefined {
    if (!isText(node)) {
      this.#wrong(node, 'An expression is text.');
      return undefined;
    }
    const found = environment.compile(node.text, fields);
    if ('message' in found) {
      this.#atFault(node, found);
      return undefined;
    }
    if (want === 'dyn' || found.type === want || found.type === 'dyn') return found;
    const whole = { start: 0, end: node.text.length };
    const hint = want === 'bool' ? 'It is true where all is well.' : 'Use string(…) around what is no text.';
    this.#atFault(node, { message: `The expression gives ${found.type}, not ${want}`, hint, ...whole });
    return undefined;
  }

  #atFault(node: YamlScalar, { message, hint, start, end }: CelFault): void {
    const at = { start: offsetIn(this.#text, node, start), end: offsetIn(this.#text, node, end) };
    this.#tell('policy-expression', at, `${message.replace(/\.$/, '')}.`, defined({ hint }));
  }

  #case(node: YamlNode): void {
    const members = this.#members(node, 'A test', keys.test);
    if (members === undefined) return;
    const facts = foreignJson(node);
    const name = this.#plainText(members.get('name'), 'name') ?? this.#placeText(node);
    const breaks = this.#items(members.get('breaks'), 'breaks').filter(isText);
    for (const item of breaks)
      if (!this.rules.some((rule) => rule.name === item.text))
        this.#wrong(
          item,
          `There is no rule "${item.text}" in this file.`,
          defined({
            hint: didYouMean(
              item.text,
              this.rules.map((rule) => rule.name),
            ),
          }),
        );
    if (!members.has('breaks'))
      this.#wrong(node, 'A test says which rules it breaks.', { hint: 'breaks: [] where it breaks none.' });
    this.cases.push({
      name,
      file: this.#file,
      place: this.#placeText(node),
      facts: isObject(facts) ? facts : {},
      breaks: breaks.map(({ text }) => text),
    });
  }

  #named(node: YamlNode | undefined, of: string): readonly Named[] {
    return this.#items(node, of).flatMap((item): readonly Named[] => {
      const members = this.#members(item, `An item of "${of}"`, keys.named);
      const name = members && this.#string(members, 'name', item, /^[A-Za-z_][A-Za-z0-9_-]*$/);
      const expression = members?.get('expression');
      if (members !== undefined && expression === undefined)
        this.#wrong(item, `An item of "${of}" needs an "expression".`);
      return name === undefined || expression === undefined ? [] : [{ name, expression }];
    });
  }

  /** The members of a map by name; what it may not have is told. */
  #members(node: YamlNode, what: string, known: readonly string[]): ReadonlyMap<string, YamlNode> | undefined {
    if (node.kind !== 'map') {
      this.#wrong(node, `${what} is a map with ${known.join(', ')}.`, { hint: example });
      return undefined;
    }
    const found = new Map<string, YamlNode>();
    for (const { key, value } of node.pairs) {
      if (key?.kind !== 'scalar') continue;
      if (!known.includes(key.text))
        this.#wrong(key, `${what} has no "${key.text}".`, {
          hint: didYouMean(key.text, known) ?? `It has ${known.join(', ')}.`,
        });
      else if (found.has(key.text)) this.#wrong(key, `"${key.text}" stands here twice.`);
      else if (value !== undefined) found.set(key.text, value);
    }
    return found;
  }

  #items(node: YamlNode | undefined, of: string): readonly YamlNode[] {
    if (node === undefined) return [];
    if (node.kind === 'list') return node.items;
    this.#wrong(node, `"${of}" is a list.`);
    return [];
  }

  #string(members: ReadonlyMap<string, YamlNode>, name: string, of: YamlNode, pattern: RegExp): string | undefined {
    const text = this.#plainText(members.get(name), name);
    if (text !== undefined && pattern.test(text)) return text;
    const what =
      text === undefined
        ? `"${name}" is missing.`
        : `"${text}" is no name: small letters, digits, "-" and "." for a rule.`;
    if (text !== undefined || !members.has(name)) this.#wrong(members.get(name) ?? of, what);
    return undefined;
  }

  #plainText(node: YamlNode | undefined, name: string): string | undefined {
    if (node === undefined) return undefined;
    if (isText(node)) return node.text;
    this.#wrong(node, `"${name}" is text.`);
    return undefined;
  }

  #word<Word extends string>(node: YamlNode | undefined, name: string, known: readonly Word[]): Word | undefined {
    if (node === undefined) return undefined;
    const found = isText(node) ? known.find((word) => word === node.text) : undefined;
    if (found === undefined) {
      const hint = isText(node) ? didYouMean(node.text, known) : undefined;
      this.#wrong(node, `"${name}" is one of ${known.join(', ')}.`, defined({ hint }));
    }
    return found;
  }

  #source(node: YamlNode | undefined): string {
    return node !== undefined && isText(node) ? `not true: ${node.text.replace(/\s+/g, ' ').trim()}` : '';
  }

  #placeText(node: YamlNode): string {
    return `${this.#file}:${this.#sources.place({ file: this.#file, start: node.start, end: node.start }).line}`;
  }

  #wrong(
    at: { readonly start: number; readonly end: number },
    summary: string,
    details: { readonly hint?: string } = {},
  ): void {
    this.#tell('policy-rule', at, summary, details);
  }

  #tell(
    code: RuleCode,
    { start, end }: { readonly start: number; readonly end: number },
    summary: string,
    details: { readonly hint?: string },
  ): void {
    this.#found.push({
      severity: 'error',
      code,
      summary,
      ...details,
      place: this.#sources.place({ file: this.#file, start, end }),
    });
  }
}

const example =
  'rules: [{name: owner-label, level: warn, match: {types: [platform:Api]}, expression: has(new.labels.owner)}]';

const ofStep: ReadonlySet<string> = new Set(['step', 'old', 'new', 'resource', 'spec']);

interface Named {
  readonly name: string;
  readonly expression: YamlNode;
}

type Fields = Readonly<Record<string, ReadonlySet<string> | undefined>>;

interface Scope {
  readonly environment: CelEnvironment;
  readonly fields: Fields;
  /** What its variables are made of. */
  readonly names: ReadonlySet<string>;
  readonly over: (facts: object) => object;
}

function isText(node: YamlNode): node is YamlScalar {
  return node.kind === 'scalar';
}

/** The fields that `old` and `new` may have, where the types are said. */
function fieldsOf(tokens: ReadonlySet<string> | undefined, types: ReadonlyMap<string, ResourceType>): Fields {
  if (tokens === undefined) return {};
  const found = new Set([...tokens].flatMap((token) => Object.keys(types.get(token)?.fields ?? {})));
  return { old: found, new: found };
}

/** A class of its own, since expressions tell types by it; each variable is made when it is first asked for, over the facts at hand. */
class VariablesOf {
  readonly facts: object;
  readonly known = new Map<string, unknown>();

  constructor(facts: object) {
    this.facts = facts;
  }
}

function variablesClass(): typeof VariablesOf {
  return class extends VariablesOf {};
}

function addVariable({ prototype }: typeof VariablesOf, name: string, expression: CelExpression): void {
  Object.defineProperty(prototype, name, {
    get(this: VariablesOf): unknown {
      if (!this.known.has(name)) this.known.set(name, valueOf(expression.evaluate(this.facts)));
      return this.known.get(name);
    },
  });
}

/** The type of a variable, as far as another expression can be held to it. */
function variableType(type: string): string {
  return /^(?:bool|int|uint|double|string|bytes|(?:list|map)(?:<[\w<>, ]+>)?|google\.protobuf\.\w+)$/.test(type)
    ? type
    : 'dyn';
}

/** Where a character of a scalar's value stands in the file: white space may be another, signs are the same, in the same order. */
function offsetIn(text: string, node: YamlScalar, offset: number): number {
  const written = text.slice(node.start, node.end);
  const head = /^(?:[|>][^\n]*\n|["'])/.exec(written)?.[0].length ?? 0;
  const wanted = node.text.slice(0, offset).replace(/\s/g, '').length;
  let seen = 0;
  let at = head;
  for (; at < written.length; at += 1) {
    if (/\s/.test(written[at] ?? '')) continue;
    if (seen === wanted) break;
    seen += 1;
    if ((written.startsWith("''", at) && written[0] === "'") || (written.startsWith('\\"', at) && written[0] === '"'))
      at += 1;
  }
  return node.start + Math.min(at, written.length);
}
