import { globOf, badGlob } from '@platform-sync/core/model/glob';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { RuleText } from '@platform-sync/core/model/project';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import { SourceFiles } from '@platform-sync/catalogue/read/file-texts';
import type { YamlNode } from '@platform-sync/catalogue/read/yaml-events';
import { NodeValues } from '@platform-sync/catalogue/read/node-values';
import { type Binding, isAdmissionDocument, readAdmission, ruleName } from './admission-policy.js';
import { CelEnvironment, type CelExpression, type Members, valueOf } from './cel.js';
import { names } from './facts.js';
import {
  actions,
  isText,
  type Named,
  type RuleDraft,
  type RuleLevel,
  type RuleMatch,
  RuleNodes,
} from './rule-nodes.js';

/** One thing that plans have to be like. */
export interface Rule extends RuleMatch {
  readonly name: string;
  readonly level: RuleLevel;
  readonly file: string;
  /** `policies/owner.yaml:3`. */
  readonly place: string;
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

/** From the least to the most. */
const levels: readonly RuleLevel[] = ['advise', 'warn', 'deny'];

const keys = {
  file: ['variables', 'rules', 'tests'],
  rule: ['name', 'level', 'match', 'matchConditions', 'variables', 'expression', 'message', 'messageExpression'],
  match: ['types', 'actions', 'addresses'],
  test: ['name', 'step', 'old', 'new', 'plan', 'resource', 'spec', 'breaks'],
};

/** Reads files of rules and checks every expression: all that is wrong, each at its place. `types`: those that rules may be about. */
export function readRules(files: readonly RuleText[], types: ReadonlyMap<string, ResourceType>): RuleSet {
  const sources = new SourceFiles();
  const base = new CelEnvironment(names);
  const read = files.map((file) => new RuleFile(new RuleNodes(file, sources), base, types));
  for (const each of read) each.read();
  const levelOf = boundLevels(read);
  const rules = read.flatMap((each) => each.rules.map((rule) => ({ ...rule, level: levelOf(rule) })));
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
    diagnostics: [...read.flatMap((each) => each.nodes.diagnostics()), ...twice],
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

/** Bindings may stand in any file. Of several levels the most counts. */
function boundLevels(files: readonly RuleFile[]): (rule: Rule) => RuleLevel {
  const saidBy = new Map<string, RuleLevel[]>();
  for (const { policies } of files)
    for (const { name, level } of policies.values()) saidBy.set(name, level === undefined ? [] : [level]);
  for (const { nodes, bindings } of files)
    for (const { policy, level } of bindings) {
      const said = saidBy.get(policy.text);
      if (said !== undefined) said.push(level);
      else nodes.wrong(policy, `No file has a policy "${policy.text}".`, policiesHint(policy.text, [...saidBy.keys()]));
    }
  const nameOf = new Map(
    files.flatMap(({ policies }) => [...policies].map(([rule, { name }]) => [rule, name] as const)),
  );
  return (rule) => {
    const said = saidBy.get(nameOf.get(rule) ?? '') ?? [];
    return levels.findLast((level) => said.includes(level)) ?? rule.level;
  };
}

function policiesHint(name: string, known: readonly string[]): string {
  const all =
    known.length === 0
      ? 'There is none: a file of "policies" has to bring it along.'
      : `There are ${known.join(', ')}.`;
  return didYouMean(name, known) ?? all;
}

class RuleFile {
  readonly nodes: RuleNodes;
  readonly rules: Rule[] = [];
  readonly cases: RuleCase[] = [];
  /** Rules that bindings may give a level, with their policy and what that says itself. */
  readonly policies = new Map<Rule, { readonly name: string; readonly level: RuleLevel | undefined }>();
  readonly bindings: Binding[] = [];
  readonly #base: CelEnvironment;
  readonly #types: ReadonlyMap<string, ResourceType>;

  constructor(nodes: RuleNodes, base: CelEnvironment, types: ReadonlyMap<string, ResourceType>) {
    this.nodes = nodes;
    this.#base = base;
    this.#types = types;
  }

  read(): void {
    const documents = this.nodes.documents();
    if (documents?.length === 0) this.nodes.wrong({ start: 0, end: 0 }, 'The file holds no rules.', example);
    // Tests name rules, wherever in the file these stand.
    const tests = (documents ?? []).flatMap((top) =>
      isAdmissionDocument(top) ? this.#admission(top) : this.#document(top),
    );
    for (const item of tests) this.#case(item);
  }

  /** Gives its tests. */
  #document(top: YamlNode): readonly YamlNode[] {
    const members = this.nodes.members(top, 'A file of rules', keys.file);
    if (members === undefined) return [];
    const shared = this.nodes.named(members.get('variables'), 'variables');
    for (const item of this.nodes.items(members.get('rules'), 'rules')) this.#rule(item, shared);
    const tests = this.nodes.items(members.get('tests'), 'tests');
    if (!members.has('rules') && tests.length === 0) this.nodes.wrong(top, 'The file holds no "rules".', example);
    return tests;
  }

  #admission(top: YamlNode): readonly [] {
    const found = readAdmission(top, this.nodes, this.#types);
    if (found.binding !== undefined) this.bindings.push(found.binding);
    for (const draft of found.rules) {
      const rule = this.#compiled(draft);
      if (rule !== undefined) this.policies.set(rule, { name: found.policy, level: draft.level });
    }
    return [];
  }

  #rule(node: YamlNode, shared: readonly Named[]): void {
    const { nodes } = this;
    const members = nodes.members(node, 'A rule', keys.rule);
    if (members === undefined) return;
    this.#compiled({
      node,
      name: nodes.name(members, 'name', node, ruleName) ?? '',
      level: nodes.word(members.get('level'), 'level', levels),
      match: this.#match(members.get('match')),
      isOfSteps: members.has('match'),
      conditions: nodes.named(members.get('matchConditions'), 'matchConditions'),
      variables: [...shared, ...nodes.named(members.get('variables'), 'variables')],
      expression: members.get('expression'),
      message: nodes.plainText(members.get('message'), 'message'),
      messageExpression: members.get('messageExpression'),
    });
  }

  /** Checks the expressions of a rule; one that is right is one of this file's. */
  #compiled({ node, name, match, ...draft }: RuleDraft): Rule | undefined {
    const fields = fieldsOf(match.types, this.#types);
    const scope = this.#variables(draft.variables, fields);
    const compile = (of: YamlNode | undefined, want: string): CelExpression | undefined =>
      of === undefined ? undefined : this.#expression(of, scope, want);
    const conditions = draft.conditions.map(({ expression: one }) => compile(one, 'bool'));
    if (draft.expression === undefined)
      this.nodes.wrong(node, 'A rule needs an "expression" that is true where all is well.', example);
    const expression = compile(draft.expression, 'bool');
    const said = compile(draft.messageExpression, 'string');
    const known = [expression, ...conditions, said].filter((one) => one !== undefined);
    if (name === '' || expression === undefined) return undefined;
    const used = new Set(known.flatMap((one) => [...one.names]));
    const about = used.has('variables') ? scope.names : new Set<string>();
    const all = new Set([...used, ...about]);
    const { file } = this.nodes;
    const rule: Rule = {
      ...{ name, level: draft.level ?? 'warn', file, place: this.nodes.placeText(node), expression, names: all },
      isOfPlan: !draft.isOfSteps && [...all].every((one) => !ofStep.has(one)),
      ...match,
      conditions: conditions.filter((one) => one !== undefined),
      message: said ?? draft.message ?? sourceOf(draft.expression),
      variablesOver: scope.over,
    };
    this.rules.push(rule);
    return rule;
  }

  #match(node: YamlNode | undefined): RuleMatch {
    if (node === undefined) return {};
    const { nodes } = this;
    const members = nodes.members(node, '"match"', keys.match);
    const known = new Map([...this.#types.keys()].map((token) => [shortToken(token), token]));
    const types = nodes.texts(members?.get('types'), 'match.types').flatMap((item) => {
      const token =
        known.get(item.text) ??
        known.get(`platform:${item.text}`) ??
        (this.#types.has(item.text) ? item.text : undefined);
      if (token !== undefined) return [token];
      nodes.wrong(item, `There is no type "${item.text}".`, didYouMean(item.text, known.keys()));
      return [];
    });
    const acting = nodes
      .texts(members?.get('actions'), 'match.actions')
      .flatMap((item) => nodes.word(item, 'actions', actions) ?? []);
    const globs = nodes.texts(members?.get('addresses'), 'match.addresses').flatMap((item) => {
      const bad = badGlob(item.text);
      if (bad === undefined) return [globOf(item.text)];
      nodes.wrong(item, `The pattern ${item.text} can't be read: ${bad.message}.`, bad.hint);
      return [];
    });
    return {
      ...(members?.has('types') === true ? { types: new Set(types) } : {}),
      ...(members?.has('actions') === true ? { actions: new Set(acting) } : {}),
      ...(globs.length === 0 ? {} : { isAt: (address: string) => globs.some((glob) => glob.test(address)) }),
    };
  }

  /** Variables see those before them. */
  #variables(named: readonly Named[], fields: Members): Scope {
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
      this.nodes.wrong(node, 'An expression is text.', 'Put it in quotes.');
      return undefined;
    }
    const found = environment.compile(node.text, fields);
    if ('message' in found) {
      this.nodes.atFault(node, found);
      return undefined;
    }
    if (want === 'dyn' || found.type === want || found.type === 'dyn') return found;
    const whole = { start: 0, end: node.text.length };
    const hint = want === 'bool' ? 'It is true where all is well.' : 'Use string(…) around what is no text.';
    this.nodes.atFault(node, { message: `The expression gives ${found.type}, not ${want}`, hint, ...whole });
    return undefined;
  }

  #case(node: YamlNode): void {
    const { nodes } = this;
    const members = nodes.members(node, 'A test', keys.test);
    if (members === undefined) return;
    const facts = new NodeValues().valueOf(node);
    const breaks = nodes.texts(members.get('breaks'), 'breaks');
    const known = this.rules.map((rule) => rule.name);
    for (const item of breaks)
      if (!known.includes(item.text))
        nodes.wrong(item, `There is no rule "${item.text}" in this file.`, didYouMean(item.text, known));
    if (!members.has('breaks'))
      nodes.wrong(node, 'A test says which rules it breaks.', 'breaks: [] where it breaks none.');
    this.cases.push({
      name: nodes.plainText(members.get('name'), 'name') ?? nodes.placeText(node),
      file: nodes.file,
      place: nodes.placeText(node),
      facts: isObject(facts) ? facts : {},
      breaks: breaks.map(({ text }) => text),
    });
  }
}

/** What a rule without a message says. */
function sourceOf(node: YamlNode | undefined): string {
  return node !== undefined && isText(node) ? `not true: ${node.text.replace(/\s+/g, ' ').trim()}` : '';
}

const example =
  'rules: [{name: owner-label, level: warn, match: {types: [platform:Api]}, expression: has(new.labels.owner)}]';

const ofStep: ReadonlySet<string> = new Set(['step', 'old', 'new', 'oldObject', 'object', 'resource', 'spec']);

interface Scope {
  readonly environment: CelEnvironment;
  readonly fields: Members;
  /** What its variables are made of. */
  readonly names: ReadonlySet<string>;
  readonly over: (facts: object) => object;
}

/** The fields that an object may have: of the types that are said, or of any. */
function fieldsOf(tokens: ReadonlySet<string> | undefined, types: ReadonlyMap<string, ResourceType>): Members {
  const found = new FieldNames(types, tokens ?? types);
  return { old: found, new: found, oldObject: found, object: found };
}

/** Types are read from their files when they are asked for: mostly the first one has the field. */
class FieldNames {
  readonly #types: ReadonlyMap<string, ResourceType>;
  readonly #tokens: Pick<ReadonlySet<string>, 'keys'>;

  constructor(types: ReadonlyMap<string, ResourceType>, tokens: Pick<ReadonlySet<string>, 'keys'>) {
    this.#types = types;
    this.#tokens = tokens;
  }

  has(name: string): boolean {
    for (const token of this.#tokens.keys()) if (Object.hasOwn(this.#types.get(token)?.fields ?? {}, name)) return true;
    return false;
  }

  *[Symbol.iterator](): Iterator<string> {
    for (const token of this.#tokens.keys()) yield* Object.keys(this.#types.get(token)?.fields ?? {});
  }
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
