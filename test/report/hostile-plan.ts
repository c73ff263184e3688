import { hostileNames } from '../../scripts/golden-hostile.js';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { field, plan, step } from './plan-builder.js';

export { hostileNames };

/** A plan that carries a text everywhere a plan can carry one. */
export function planWith(name: string): Plan {
  return planOf([name]);
}

function planOf(names: readonly string[]): Plan {
  const [first = ''] = names;
  return plan({
    engine: first,
    project: first,
    stack: first,
    targets: { [first]: first },
    partial: { targets: [...names], excludes: [...names] },
    steps: names.map(hostileStep),
    outputs: names.map((name) => ({ name, old: name, new: { [name]: [name] } })),
    guards: names.flatMap((name) => [
      { name, summary: name, addresses: [name, name] },
      { name, summary: name, addresses: [], lifted: name },
    ]),
    notCompared: names.map((name) => ({ address: name, type: name, diagnostic: diagnostic(name) })),
    unmanaged: names.map((name) => ({ type: name, under: name, count: 2 })),
    undeclaredChanges: names.map((name) => ({ address: name, field: name, old: name, new: name })),
    notices: names.map(diagnostic),
    meta: {
      createdAt: first,
      host: first,
      base: first,
      origins: Object.fromEntries(names.map((name) => [name, 'pending'])),
      sources: Object.fromEntries(names.map((name) => [name, `${name}:3:5`])),
      fieldSources: Object.fromEntries(names.map((name) => [name, { [name]: `${name}:4:7` }])),
      requests: 0,
    },
  });
}

function diagnostic(name: string): Diagnostic {
  return { severity: 'warning', code: name, summary: name, detail: name, hint: name, address: name, field: name };
}

function hostileStep(name: string, at: number): PlanStep {
  const text = `before\n${name}\n${'same\n'.repeat(8)}`;
  return step({
    address: name,
    type: name,
    action: at % 5 === 4 ? 'delete' : 'update',
    cause: 'both',
    id: name,
    from: name,
    fields: [
      field(name, { old: name, new: `new ${name}`, cause: 'drift' }),
      field('content', { old: `${text}old\n${name}\n`, new: `${text}${name}\nnew\n` }),
      field('labels', { old: { [name]: name }, new: { [name]: [name], other: name } }),
      field('secret', { new: { $secret: { expression: name, fingerprint: 'hmac-sha256:00' } } }),
      field('later', { new: { $unknown: [name] } }),
      field('specContent', { old: specification(name, true), new: specification(name, false) }),
    ],
    reasons: [
      { kind: 'alias', from: name },
      { kind: 'import', id: name },
      { kind: 'type-changed', from: name },
      { kind: 'reference-replaced', field: name, path: [name, name] },
    ],
    risks: at % 5 === 4 ? [{ kind: 'deletes' }, { kind: 'cascades', what: name }] : [{ kind: 'publishes' }],
    dependsOn: [name],
  });
}

function specification(name: string, wide: boolean): string {
  const parameters = [{ name, in: 'query', required: !wide }];
  const operation = { parameters, responses: { [name]: {}, ...(wide ? { '200': {} } : {}) } };
  return JSON.stringify({
    openapi: '3.0.3',
    paths: { [`/${name}`]: { get: operation, ...(wide ? { put: operation } : {}) } },
  });
}

/** All hostile names in one plan. */
export const hostilePlan = planOf(hostileNames);
