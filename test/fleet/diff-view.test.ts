import { expect, it } from 'vitest';
import type { FieldChange, Plan } from '@platform-sync/core/model/plan';
import { comparedRows } from '../../src/fleet/console/diff-view.js';
import { field, plan, step } from '../report/plan-builder.js';

const planOf = (...changes: readonly (readonly [string, Partial<FieldChange>])[]): Plan =>
  plan({
    steps: changes.map(([name, more]) => step({ address: name, action: 'update', fields: [field('name', more)] })),
  });

it('says of each field how the platform has it, the catalogue wants it, and the branch would', () => {
  const branch = planOf(['both', { old: 'a', new: 'c' }], ['mine', { old: 'a', new: 'b' }]);
  const base = planOf(
    ['both', { old: 'a', new: 'b' }],
    ['taken-back', { old: 'a', new: 'b' }],
    ['outside', { old: 'x', new: 'a', cause: 'drift' }],
  );
  const rows = comparedRows(branch, base).map(({ address, branch: mine, catalogue, platform, isDrift }) => [
    ...[address, mine, catalogue, platform, isDrift],
  ]);
  expect(rows).toEqual([
    ['both', '"c"', '"b"', '"a"', false],
    ['mine', '"b"', '"a"', '"a"', false],
    ['taken-back', '"a"', '"b"', '"a"', false],
    ['outside', '"a"', '"a"', '"x"', true],
  ]);
});

it('shows no secret, says what is new or goes as a whole, and claims nothing of a catalogue that nobody planned', () => {
  const sealed = { $secret: { expression: '!env TOKEN', digest: 'd' } };
  const made = plan({
    steps: [
      step({ address: 'a', action: 'update', fields: [field('token', { old: sealed, new: sealed })] }),
      step({ address: 'b', action: 'delete', fields: [] }),
    ],
  });
  expect(comparedRows(made, undefined).map(({ branch, catalogue, platform }) => [branch, catalogue, platform])).toEqual(
    [
      ['(secret !env TOKEN)', undefined, '(secret !env TOKEN)'],
      ['delete', undefined, '(there)'],
    ],
  );
});
