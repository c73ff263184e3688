import { expect, it } from 'vitest';
import { type CauseRow, gathered } from '../../src/fleet/news.js';

const row = (state: CauseRow['state'], stack: string, more: Partial<CauseRow> = {}): CauseRow => ({
  ...{ state, stack, item: 'a', kind: 'new', cause: 'Api.labels.team removed' },
  ...more,
});
const told = { kind: 'new', cause: 'Api.labels.team removed' } as const;

it.each<[string, readonly CauseRow[], ReturnType<typeof gathered>['causes'], number]>([
  ['nothing', [], [], 0],
  ['what is told', [row('told', 'a/x')], [], 0],
  ['one cause of many', [row('fresh', 'b/x'), row('fresh', 'a/x')], [{ ...told, stacks: ['a/x', 'b/x'] }], 0],
  ['a stack once', [row('fresh', 'a/x'), row('fresh', 'a/x', { item: 'b' })], [{ ...told, stacks: ['a/x'] }], 0],
  ['a cause that others have already', [row('told', 'a/x'), row('fresh', 'b/x')], [], 0],
  ['one that moves from stack to stack', [row('over', 'a/x'), row('fresh', 'b/x')], [], 0],
  ['one that got worse', [row('told', 'a/x'), row('fresh', 'b/x', { kind: 'worse' })], [], 0],
  ['its end in one of two', [row('over', 'a/x'), row('told', 'b/x')], [], 0],
  [
    'its end in all',
    [row('over', 'a/x'), row('over', 'b/x')],
    [{ ...told, kind: 'resolved', stacks: ['a/x', 'b/x'] }],
    2,
  ],
  [
    'that checks can be made again',
    [row('over', 'a/x', { kind: 'failed', cause: 'The token has expired.' })],
    [{ kind: 'recovered', cause: 'The token has expired.', stacks: ['a/x'] }],
    1,
  ],
  [
    'two causes',
    [row('fresh', 'a/x'), row('fresh', 'a/x', { item: 'b', kind: 'failed' })],
    [
      { ...told, stacks: ['a/x'] },
      { ...told, kind: 'failed', stacks: ['a/x'] },
    ],
    0,
  ],
])('tells %s as it should', (_what, rows, causes, gone) => {
  const found = gathered(rows);
  expect(found.causes).toEqual(causes);
  expect(found.gone).toHaveLength(gone);
});
