import { describe, expect, it } from 'vitest';
import type { PlanStep } from '@platform-sync/core/model/plan';
import { originsOf } from '@platform-sync/engine/use-cases/base/plan-base';
import { field, step } from '../../report/plan-builder.js';

const renamed = field('name', { old: 'a', new: 'b' });
const clicked = field('name', { old: 'x', new: 'b', cause: 'drift' });

const rows: readonly (readonly [string, PlanStep, PlanStep | undefined, string])[] = [
  ['only the branch asks for it', step({ address: 'a', action: 'create' }), undefined, 'branch'],
  [
    'both ask for the same',
    step({ address: 'a', action: 'create' }),
    step({ address: 'a', action: 'create' }),
    'pending',
  ],
  [
    'another value',
    step({ address: 'a', action: 'update', cause: 'config', fields: [renamed] }),
    step({ address: 'a', action: 'update', cause: 'config', fields: [field('name', { old: 'a', new: 'c' })] }),
    'branch',
  ],
  [
    'another action',
    step({ address: 'a', action: 'replace', order: 'delete-first' }),
    step({ address: 'a', action: 'update' }),
    'branch',
  ],
  [
    'changed by hand, and both put it back',
    step({ address: 'a', action: 'update', cause: 'drift', fields: [clicked] }),
    step({ address: 'a', action: 'update', cause: 'drift', fields: [clicked] }),
    'drift',
  ],
  [
    'changed by hand, and the branch changes more',
    step({ address: 'a', action: 'update', cause: 'both', fields: [clicked, field('version', { new: '2' })] }),
    step({ address: 'a', action: 'update', cause: 'drift', fields: [clicked] }),
    'branch',
  ],
  [
    'file and hand changed it, in the base, too',
    step({ address: 'a', action: 'update', cause: 'both', fields: [field('name', { cause: 'both', new: 'b' })] }),
    step({ address: 'a', action: 'update', cause: 'both', fields: [field('name', { cause: 'both', new: 'b' })] }),
    'pending',
  ],
  [
    'the same change that waits for another one',
    step({ address: 'a', action: 'delete', dependsOn: ['b'], risks: [{ kind: 'deletes' }] }),
    step({ address: 'a', action: 'delete' }),
    'pending',
  ],
];

describe('whose change a step is', () => {
  it.each(rows)('%s', (_name, head, base, origin) => {
    expect(originsOf([head], base === undefined ? [] : [base])).toEqual({ a: origin });
  });
});
