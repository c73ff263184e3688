import { expect, it } from 'vitest';
import { withHistory, type Check } from '@platform-sync/engine/drift/history';
import type { SeenFinding } from '@platform-sync/core/model/drift';

it('what is settled stands in the order of its addresses and fields, whatever the history holds first', () => {
  const known = (id: string, address: string, field?: string): SeenFinding => ({
    ...{ id, address, class: 'modified', severity: 'low', digest: '', firstSeen: '1', lastSeen: '1' },
    ...(field === undefined ? {} : { field }),
  });
  const findings = [known('1', 'b', 'x'), known('2', 'a', 'y'), known('3', 'b', 'a'), known('4', 'a'), known('5', 'B')];
  const check: Check = {
    ...{ at: '2', status: 'clean' as const, findings: [], ignored: [], notCompared: [], unread: new Set<string>() },
    watched: { types: new Set<string>(), silent: new Set<string>() },
  };
  const { resolved, note } = withHistory(check, { findings, number: 1 });
  expect(resolved.map(({ address, field = '' }) => `${address} ${field}`)).toEqual(['B ', 'a ', 'a y', 'b a', 'b x']);
  expect(note.resolved).toEqual(['5', '4', '2', '3', '1']);
});
