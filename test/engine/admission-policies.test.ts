import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRules } from '@platform-sync/engine/rules/rule-file';
import { paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';

/** A whole document: its kind, its name, and the lines of its spec. */
function document(name: string, spec: string, kind = 'ValidatingAdmissionPolicy'): string {
  const lines = spec.trim().split('\n');
  const head = `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n`;
  return `${head}${lines.map((line) => `  ${line}\n`).join('')}`;
}

const bound = (policy: string, actions: string): string =>
  document(
    `${policy}-bound`,
    `policyName: ${policy}\nvalidationActions: ${actions}`,
    'ValidatingAdmissionPolicyBinding',
  );

/** What a policy is about. */
const about = (resources: string, operations = '[CREATE, UPDATE]', groups = '[platform]'): string =>
  `matchConstraints:\n  resourceRules:\n    - apiGroups: ${groups}\n      apiVersions: ['*']\n      operations: ${operations}\n      resources: ${resources}\n`;

const holds = (...expressions: readonly string[]): string =>
  `validations:\n${expressions.map((one) => `  - expression: ${JSON.stringify(one)}\n`).join('')}`;

interface Row {
  readonly what: string;
  readonly documents: readonly string[];
  /** Name and level of each rule. */
  readonly rules: readonly string[];
  /** Tests that stand in a document of their own in the same file. */
  readonly tests: readonly string[];
}

const loaded: readonly Row[] = [
  {
    what: 'an owner, bound to deny',
    documents: [
      document(
        'owned',
        `${about('[Api]')}${holds("object.?labels[?'owner'].hasValue()")}    message: somebody owns an API\n    reason: Invalid`,
      ),
      bound('owned', '[Deny]'),
    ],
    rules: ['owned deny'],
    tests: ['new: {name: a}, breaks: [owned]', 'new: {labels: {owner: ann}}, breaks: []', 'old: {name: a}, breaks: []'],
  },
  {
    what: 'a binding that stands before its policy',
    documents: [
      bound('quiet', '[Audit]'),
      document('quiet', holds('object == null || object.?name.orValue("") != "x"')),
    ],
    rules: ['quiet advise'],
    tests: ['new: {name: x}, breaks: [quiet]', 'old: {name: x}, breaks: []'],
  },
  {
    what: 'no binding: it waits for a reason',
    documents: [document('unbound', about('[platform:Api]') + holds('object.name.size() < 20'))],
    rules: ['unbound warn'],
    tests: ['new: {name: short}, breaks: []', 'new: {name: a name that is much too long}, breaks: [unbound]'],
  },
  {
    what: 'two bindings, of which the stronger counts',
    documents: [document('twice', holds('true')), bound('twice', '[Audit]'), bound('twice', '[Warn, Audit]')],
    rules: ['twice warn'],
    tests: ['new: {}, breaks: []'],
  },
  {
    what: 'actions of its own',
    documents: [document('strict', `validationActions: [Deny]\n${about("['*']", '[DELETE]')}${holds('false')}`)],
    rules: ['strict deny'],
    tests: [
      'old: {name: a}, breaks: [strict]',
      'new: {name: a}, breaks: []',
      'step: {action: replace}, new: {}, breaks: [strict]',
    ],
  },
  {
    what: 'several validations, each of which is told by itself',
    documents: [
      document(
        'shape',
        `failurePolicy: Fail\n${about('[Api]')}${holds("object.name.matches('^[a-z-]+$')", "object.?version.orValue('1') != '0'", 'true')}`,
      ),
    ],
    rules: ['shape warn', 'shape:2 warn', 'shape:3 warn'],
    tests: ['new: {name: A, version: "0"}, breaks: [shape, shape:2]', 'new: {name: a}, breaks: []'],
  },
  {
    what: 'variables that see each other',
    documents: [
      document(
        'counted',
        `variables:\n  - {name: labels, expression: 'object.?labels.orValue({})'}\n  - {name: many, expression: 'variables.labels.size() > 2'}\n${about('[Api]')}${holds('!variables.many')}    messageExpression: "'it has ' + string(variables.labels.size())"`,
      ),
    ],
    rules: ['counted warn'],
    tests: ['new: {labels: {a: x, b: x, c: x}}, breaks: [counted]', 'new: {}, breaks: []'],
  },
  {
    what: 'conditions, with names as Kubernetes has them',
    documents: [
      document(
        'public',
        `matchConditions:\n  - {name: not.internal, expression: "!object.name.startsWith('internal-')"}\n${about('[Api]')}${holds("object.?description.orValue('') != ''")}`,
      ),
    ],
    rules: ['public warn'],
    tests: ['new: {name: a}, breaks: [public]', 'new: {name: internal-a}, breaks: []'],
  },
  {
    what: 'the object as it was',
    documents: [document('kept', about('[Api]', '[UPDATE]') + holds('object.name == oldObject.name'))],
    rules: ['kept warn'],
    tests: ['old: {name: a}, new: {name: b}, breaks: [kept]', 'new: {name: b}, breaks: []'],
  },
  {
    what: 'what a cluster writes out although it says nothing',
    documents: [
      document(
        'exported',
        `matchConstraints:\n  matchPolicy: Equivalent\n  namespaceSelector: {}\n  objectSelector: {}\n  excludeResourceRules: []\n  resourceRules:\n    - {apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: '*'}\nauditAnnotations: []\n${holds('true')}`,
      ) + 'status: {}\n',
    ],
    rules: ['exported warn'],
    tests: ['new: {}, breaks: []'],
  },
  {
    what: 'two lists of resources, labels and notes',
    documents: [
      'apiVersion: admissionregistration.k8s.io/v1beta1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: pages, labels: {team: docs}, annotations: {why: "titles"}}\n' +
        "spec:\n  matchConstraints:\n    resourceRules:\n      - {resources: [ApiDocument], operations: [CREATE]}\n      - {resources: ['platform:Api'], operations: [CREATE]}\n" +
        "  validations: [{expression: 'size(resource.address) > 2', message: an address of three letters}]\n",
    ],
    rules: ['pages warn'],
    tests: [
      'resource: {type: platform:ApiDocument, address: ab}, new: {}, breaks: [pages]',
      'resource: {address: ab}, old: {}, new: {}, breaks: []',
    ],
  },
  {
    what: 'rules of our own form beside it, which test both',
    documents: [
      'rules: [{name: mine, expression: new.name != "b"}]\n',
      document('theirs', holds("object.name != 'a'")),
    ],
    rules: ['mine warn', 'theirs warn'],
    tests: ['new: {name: a}, breaks: [theirs]', 'new: {name: b}, breaks: [mine]'],
  },
];

/** A document, and what is wrong in it: line, columns, what, and what to do. */
const refused: readonly (readonly [what: string, text: string, ...problems: string[]])[] = [
  [
    'a field in metadata',
    document('a', about('[Api]') + holds('has(object.metadata.labels)')),
    '13:31 No type that the rule is about has a field "metadata".',
  ],
  [
    'a field of a pod',
    document('a', holds('object.spec.containers.all(c, c.image != "x")')),
    '7:27 No type that the rule is about has a field "spec".',
  ],
  ['a request', document('a', holds('request.operation == "DELETE"')), '7:20 Unknown variable: request.'],
  [
    'parameters of a cluster',
    document('a', `paramKind: {apiVersion: v1, kind: ConfigMap}\n${holds('params.data.most > "1"')}`),
    '6:3 The spec of a policy has no "paramKind".',
    '8:20 Unknown variable: params.',
  ],
  [
    'who may do what',
    document('a', holds('authorizer.group("").resource("a").check("get").allowed()')),
    '7:20 Unknown variable: authorizer.',
  ],
  [
    'a function of Kubernetes',
    document('a', holds('quantity(object.description).isLessThan(quantity("1"))')),
    "7:20 found no matching overload for 'quantity(dyn)'.",
  ],
  ['half an expression', document('a', holds('object.name =')), '7:32 Unexpected character: =.'],
  [
    'an expression that gives no answer',
    document('a', holds('object.name + 1')),
    '7:20 The expression gives int, not bool.',
  ],
  ['pods', document('a', about('[pods]') + holds('true')), '11:21 There is no type "pods".'],
  [
    'another group',
    document('a', about('[deployments]', '[CREATE]', '[apps]') + holds('true')),
    '8:21 There is no provider "apps".',
    '11:21 There is no type "deployments".',
  ],
  [
    'versions of a group',
    document('a', about('[Api]').replace("'*'", 'v1') + holds('true')),
    '9:23 "apiVersions" is one of *.',
  ],
  [
    'an operation that no plan has',
    document('a', about('[Api]', '[CONNECT]') + holds('true')),
    '10:22 "operations" is one of CREATE, UPDATE, DELETE, *.',
  ],
  [
    'two lists with other operations',
    document(
      'a',
      `matchConstraints:\n  resourceRules:\n    - {resources: [Api], operations: [CREATE]}\n    - {resources: [Api], operations: [DELETE]}\n${holds('true')}`,
    ),
    '9:9 All resourceRules of one policy must name the same operations.',
  ],
  [
    'names of resources',
    document('a', `matchConstraints: {resourceRules: [{resourceNames: [pets]}]}\n${holds('true')}`),
    '6:39 A resourceRule has no "resourceNames".',
  ],
  [
    'a selector',
    document('a', `matchConstraints: {objectSelector: {matchLabels: {a: b}}}\n${holds('true')}`),
    '6:22 "matchConstraints" has no "objectSelector".',
  ],
  [
    'what fails and passes all the same',
    document('a', `failurePolicy: Ignore\n${holds('true')}`),
    '6:18 "failurePolicy" is one of Fail.',
  ],
  [
    'notes for an audit',
    document('a', `${holds('true')}auditAnnotations: [{key: a, valueExpression: '"x"'}]`),
    '8:3 The spec of a policy has no "auditAnnotations".',
  ],
  [
    'a reason that is no word',
    document('a', `${holds('true')}    reason: NotFound`),
    '8:15 "reason" is one of Unauthorized, Forbidden, Invalid, RequestEntityTooLarge.',
  ],
  ['no validations', document('a', 'variables: []'), '6:3 A policy needs "validations".'],
  [
    'a policy that changes things',
    'apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\nmetadata: {name: a}\nspec: {}\n',
    '2:7 "kind" is one of ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding.',
  ],
  [
    'a list of documents',
    'apiVersion: v1\nkind: List\nitems: []\n',
    '1:13 "apiVersion" is one of',
    '2:7 "kind" is one of',
  ],
  [
    'no head',
    `kind: ValidatingAdmissionPolicy\nspec:\n  ${holds('true').replace(/\n/g, '\n  ')}`,
    '1:1 A policy needs "apiVersion".',
  ],
  ['a binding to nobody', bound('nobody', '[Deny]'), '6:15 No file has a policy "nobody".'],
  [
    'a binding that does nothing',
    document('b', 'policyName: owned', 'ValidatingAdmissionPolicyBinding'),
    '6:3 A binding needs "validationActions".',
  ],
  [
    'a binding with a word of its own',
    bound('owned', '[Block]'),
    '7:23 "validationActions" is one of Deny, Warn, Audit.',
  ],
  [
    'a binding for some namespaces',
    document(
      'b',
      'policyName: owned\nvalidationActions: [Deny]\nmatchResources: {namespaceSelector: {matchLabels: {a: b}}}',
      'ValidatingAdmissionPolicyBinding',
    ),
    '8:3 The spec of a binding has no "matchResources".',
    '6:15 No file has a policy "owned".',
  ],
  [
    'nothing in its head and its spec',
    'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n',
    '1:1 A policy needs "metadata".',
    '1:1 A policy needs a "spec".',
  ],
  ['a name of its own', document('Not-A-Name', holds('true')), '4:9 "Not-A-Name" is no name.'],
];

describe('documents of Kubernetes', () => {
  const { types } = new PaperWorld().platform.package;
  let folder: string;
  beforeAll(async () => {
    folder = await paperFolder({ one: { policies: 'policies/*.yaml' } });
    mkdirSync(`${folder}/one/policies`);
  });
  afterAll(() => removeFolder(folder));

  it('are more than thirty here', () => expect(loaded.length + refused.length).toBeGreaterThanOrEqual(30));

  it.each(loaded)('with $what are loaded, and judge', async ({ documents, rules: wanted, tests }) => {
    const text = [...documents, `tests:\n${tests.map((one) => `  - {${one}}\n`).join('')}`].join('---\n');
    const { rules, diagnostics } = readRules([{ file: 'policies/set.yaml', text }], types);
    expect(diagnostics).toEqual([]);
    expect(rules.map(({ name, level }) => `${name} ${level}`)).toEqual(wanted);
    writeFileSync(`${folder}/one/policies/set.yaml`, text);
    const { cases } = await new PaperWorld().open(`${folder}/one`, (project) => project.testRules());
    expect(cases.flatMap(({ problems }) => problems)).toEqual([]);
    expect(cases.length).toBe(tests.length);
  });

  it.each(refused)('with %s are refused, with a place and what to do', (_what, text, ...problems) => {
    const { rules, diagnostics } = readRules([{ file: 'policies/set.yaml', text }], types);
    const told = diagnostics.map(({ place, summary }) => `${place?.line ?? 0}:${place?.column ?? 0} ${summary}`);
    expect(told.map((one, at) => (one.startsWith(problems[at] ?? 'none') ? problems[at] : one))).toEqual(problems);
    expect(diagnostics.map(({ hint = '' }) => hint)).not.toContain('');
    expect(rules.filter(({ level }) => level === 'deny')).toEqual([]);
  });

  it('hold a plan back as any rule does, and one reason for the policy lifts all that it says', async () => {
    const world = new PaperWorld();
    const cwd = `${folder}/one`;
    writeFileSync(
      `${cwd}/policies/set.yaml`,
      document('named', about('[Api]') + holds("object.name != 'Pets'", 'size(object.name) > 9')),
    );
    world.write(cwd, { resources: { pets: { type: 'platform:Api', properties: { name: 'Pets' } } } });
    expect((await world.plan(cwd)).plan.guards.map(({ name }) => name)).toEqual([
      'policy:named:pets',
      'policy:named:2:pets',
    ]);
    const allow = [{ guard: 'policy:named', reason: 'ticket 7' }];
    expect((await world.apply(cwd, { allow })).result.status).toBe('done');
  });
});
