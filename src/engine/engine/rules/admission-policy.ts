import { didYouMean } from '@platform-sync/core/model/nearest';
import type { Action } from '@platform-sync/core/model/plan';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import type { YamlNode, YamlScalar } from '@platform-sync/catalogue/read/yaml-events';
import { memberOf } from '@platform-sync/catalogue/sources/foreign-yaml';
import { isText, type RuleDraft, type RuleLevel, type RuleMatch, type RuleNodes } from './rule-nodes.js';

/**
 * Documents of Kubernetes that say what a plan can be asked, too: ValidatingAdmissionPolicy, and its binding. A policy becomes one rule
 * for each validation. What has no meaning here is refused at its place, so that nothing that somebody relies on is left out in silence.
 */
interface Admission {
  readonly policy: string;
  readonly rules: readonly RuleDraft[];
  readonly binding?: Binding;
}

/** A policy counts as much as its bindings say. */
export interface Binding {
  readonly policy: YamlScalar;
  readonly level: RuleLevel;
}

const group = 'admissionregistration.k8s.io';
const versions = [`${group}/v1`, `${group}/v1beta1`, `${group}/v1alpha1`] as const;
const policyKind = 'ValidatingAdmissionPolicy';
const bindingKind = 'ValidatingAdmissionPolicyBinding';

/** In the order of their weight. */
const levelOf = { Deny: 'deny', Warn: 'warn', Audit: 'advise' } as const;
const validationActions = ['Deny', 'Warn', 'Audit'] as const;

/** What becomes of an object, in a plan's words. */
const actionsOf: Readonly<Record<'CREATE' | 'UPDATE' | 'DELETE', readonly Action[]>> = {
  CREATE: ['create', 'replace'],
  UPDATE: ['update', 'adopt', 'options'],
  DELETE: ['delete', 'replace'],
};
const operations = ['CREATE', 'UPDATE', 'DELETE', '*'] as const;

const reasons = ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'] as const;

const keys = {
  document: ['apiVersion', 'kind', 'metadata', 'spec'],
  metadata: ['name', 'labels', 'annotations'],
  policy: ['failurePolicy', 'matchConstraints', 'matchConditions', 'variables', 'validations', 'validationActions'],
  constraints: ['resourceRules', 'matchPolicy'],
  resourceRule: ['apiGroups', 'apiVersions', 'operations', 'resources', 'scope'],
  validation: ['expression', 'message', 'messageExpression', 'reason'],
  binding: ['policyName', 'validationActions'],
};

/** What stands in such documents, and is said otherwise here. */
const instead = {
  document: { status: 'A cluster writes it: take it out.' },
  metadata: Object.fromEntries(
    ['namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'].map((name) => [
      name,
      'A cluster writes it: take it out.',
    ]),
  ),
  policy: {
    paramKind: 'Say plan.parameters in the expression, or a variable.',
    auditAnnotations: 'The history keeps the message of a rule by itself: use messageExpression.',
  },
  constraints: {
    excludeResourceRules: 'Say it in matchConditions: !(resource.type in ["platform:Api"])',
    namespaceSelector: 'Say it in matchConditions, of plan.stack or resource.parent.',
    objectSelector: 'Say it in matchConditions, of new.?labels.',
  },
  resourceRule: { resourceNames: 'Say it in matchConditions: resource.address in ["petstore"]' },
  binding: {
    paramRef: 'Say plan.parameters in the expression, or a variable.',
    matchResources: 'Say it in the policy: in matchConstraints or matchConditions.',
  },
};

export function isAdmissionDocument(top: YamlNode): boolean {
  return ['apiVersion', 'kind'].some((name) => memberOf(top, name) !== undefined);
}

export function readAdmission(top: YamlNode, nodes: RuleNodes, types: ReadonlyMap<string, ResourceType>): Admission {
  const word = <Word extends string>(name: string, known: readonly [Word, ...Word[]]): Word | undefined => {
    const { value } = memberOf(top, name) ?? {};
    if (value === undefined) nodes.wrong(top, `A policy needs "${name}".`, `${name}: ${known[0]}`);
    return nodes.word(value, name, known, others);
  };
  const [version, kind] = [word('apiVersion', versions), word('kind', [policyKind, bindingKind])];
  // Of anything else nobody knows what it should have.
  if (version === undefined || kind === undefined) return { policy: '', rules: [] };
  const members = nodes.members(top, 'A policy', keys.document, instead.document);
  const [head, spec] = ['metadata', 'spec'].map((name) => members?.get(name));
  if (head === undefined) nodes.wrong(top, 'A policy needs "metadata".', 'metadata: {name: owner-label}');
  if (spec === undefined) nodes.wrong(top, 'A policy needs a "spec".', 'spec: {validations: [{expression: …}]}');
  const metadata = head && nodes.members(head, '"metadata"', keys.metadata, instead.metadata);
  const policy = head && metadata && nodes.name(metadata, 'name', head, ruleName);
  if (spec === undefined || policy === undefined) return { policy: '', rules: [] };
  const reader = new AdmissionReader(nodes, types);
  if (kind === policyKind) return { policy, rules: reader.rules(policy, spec) };
  const binding = reader.binding(spec);
  return { policy: '', rules: [], ...(binding === undefined ? {} : { binding }) };
}

const others = `Only a ${policyKind} of Kubernetes and its binding are read, each as a document of its own.`;

export const ruleName = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/;

class AdmissionReader {
  readonly #nodes: RuleNodes;
  readonly #types: ReadonlyMap<string, ResourceType>;

  constructor(nodes: RuleNodes, types: ReadonlyMap<string, ResourceType>) {
    this.#nodes = nodes;
    this.#types = types;
  }

  binding(spec: YamlNode): Binding | undefined {
    const nodes = this.#nodes;
    const members = nodes.members(spec, 'The spec of a binding', keys.binding, instead.binding);
    const policy = members?.get('policyName');
    const level = this.#level(members?.get('validationActions'));
    if (members !== undefined && level === undefined && !members.has('validationActions'))
      nodes.wrong(spec, 'A binding needs "validationActions".', 'validationActions: [Deny]');
    if (policy !== undefined && isText(policy)) return level === undefined ? undefined : { policy, level };
    nodes.wrong(policy ?? spec, 'A binding needs a "policyName".', 'It is the name in the metadata of a policy.');
    return undefined;
  }

  rules(policy: string, spec: YamlNode): readonly RuleDraft[] {
    const nodes = this.#nodes;
    const members = nodes.members(spec, 'The spec of a policy', keys.policy, instead.policy);
    if (members === undefined) return [];
    const hint = 'An expression that fails counts as not true: say "variables.x.?y" where something may be missing.';
    nodes.word(members.get('failurePolicy'), 'failurePolicy', ['Fail'], hint);
    const level = this.#level(members.get('validationActions'));
    const match = this.#match(members.get('matchConstraints'));
    const conditions = nodes.named(members.get('matchConditions'), 'matchConditions');
    const variables = nodes.named(members.get('variables'), 'variables');
    const validations = nodes.items(members.get('validations'), 'validations');
    if (validations.length === 0)
      nodes.wrong(spec, 'A policy needs "validations".', 'validations: [{expression: …, message: …}]');
    return validations.flatMap((node, at): readonly RuleDraft[] => {
      const said = nodes.members(node, 'A validation', keys.validation);
      nodes.word(said?.get('reason'), 'reason', reasons, 'It says nothing in a plan: leave it out.');
      if (said === undefined) return [];
      return [
        {
          ...{ node, level, match, isOfSteps: true, conditions, variables },
          // A reason that is given to the policy by its name is given to all of them.
          name: at === 0 ? policy : `${policy}:${at + 1}`,
          expression: said.get('expression'),
          message: nodes.plainText(said.get('message'), 'message'),
          messageExpression: said.get('messageExpression'),
        },
      ];
    });
  }

  /** Of several the most counts. */
  #level(node: YamlNode | undefined): RuleLevel | undefined {
    const nodes = this.#nodes;
    const items = nodes.items(node, 'validationActions');
    if (node !== undefined && items.length === 0) nodes.wrong(node, '"validationActions" names none.', '[Deny]');
    const said = items.flatMap((item) => nodes.word(item, 'validationActions', validationActions) ?? []);
    const most = validationActions.find((action) => said.includes(action));
    return most && levelOf[most];
  }

  #match(node: YamlNode | undefined): RuleMatch {
    if (node === undefined) return {};
    const nodes = this.#nodes;
    const members = nodes.members(node, '"matchConstraints"', keys.constraints, instead.constraints);
    // Types have no versions that could be the same.
    nodes.word(members?.get('matchPolicy'), 'matchPolicy', ['Equivalent', 'Exact']);
    const items = nodes.items(members?.get('resourceRules'), 'resourceRules');
    const all: readonly RuleMatch[] = items.map((item) => this.#resourceRule(item));
    const [first] = all;
    for (const [at, item] of items.entries())
      if (!sameSet(all[at]?.actions, first?.actions))
        nodes.wrong(
          item,
          'All resourceRules of one policy must name the same operations.',
          'Write a policy for each, or ask for step.action in matchConditions.',
        );
    const types = all.every((one) => one.types !== undefined) ? all.flatMap((one) => [...(one.types ?? [])]) : [];
    return {
      ...(types.length === 0 ? {} : { types: new Set(types) }),
      ...(first?.actions === undefined ? {} : { actions: first.actions }),
    };
  }

  #resourceRule(node: YamlNode): RuleMatch {
    const nodes = this.#nodes;
    const members = nodes.members(node, 'A resourceRule', keys.resourceRule, instead.resourceRule);
    for (const [name, hint] of [
      ['apiVersions', 'Types have no versions here.'],
      ['scope', 'There are no namespaces here.'],
    ] as const) {
      const value = members?.get(name);
      for (const item of value?.kind === 'list' ? value.items : value === undefined ? [] : [value])
        nodes.word(item, name, ['*'], hint);
    }
    const acting = nodes
      .items(members?.get('operations'), 'operations')
      .flatMap((item) => nodes.word(item, 'operations', operations) ?? []);
    const named = acting.flatMap((word) => (word === '*' ? [] : actionsOf[word]));
    return {
      ...this.#resources(members?.get('apiGroups'), members?.get('resources')),
      ...(acting.length === 0 || acting.includes('*') ? {} : { actions: new Set(named) }),
    };
  }

  /** A type is called by its provider, as the group, and its name: `platform` and `Api`. */
  #resources(groups: YamlNode | undefined, resources: YamlNode | undefined): RuleMatch {
    const nodes = this.#nodes;
    const tokens = [...this.#types.keys()];
    const providers = [...new Set(tokens.map(providerOf))];
    const within = nodes.texts(groups, 'apiGroups').map(({ text, ...at }) => {
      if (text !== '*' && !providers.includes(text))
        nodes.wrong(at, `There is no provider "${text}".`, `A group is a provider: ${providers.join(', ')} or "*".`);
      return text;
    });
    const known = tokens.filter(
      (token) => within.length === 0 || within.includes('*') || within.includes(providerOf(token)),
    );
    const named = nodes.texts(resources, 'resources');
    if (named.length > 0 && named.every(({ text }) => text !== '*'))
      return { types: new Set(named.flatMap((item) => this.#type(item, known) ?? [])) };
    return known.length === tokens.length ? {} : { types: new Set(known) };
  }

  #type(item: YamlScalar, known: readonly string[]): string | undefined {
    const found = known.find((token) => [token, shortToken(token), nameOf(token)].includes(item.text));
    if (found !== undefined) return found;
    const hint = didYouMean(item.text, known.map(shortToken));
    this.#nodes.wrong(
      item,
      `There is no type "${item.text}".`,
      hint ?? 'Resources are types, as a catalogue names them: Api of the group platform, or platform:Api.',
    );
    return undefined;
  }
}

function providerOf(token: string): string {
  return token.slice(0, token.indexOf(':'));
}

function nameOf(token: string): string {
  return token.slice(token.lastIndexOf(':') + 1);
}

function sameSet(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.size === b.size && [...a].every((one) => b.has(one));
}
