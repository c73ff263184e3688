import { spawnSync } from 'node:child_process';
import { platform } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readIdentity, realProcesses } from '@platform-sync/core/model/process-identity';

const { isProvenDead, self: thisProcess } = realProcesses;

// Other systems do not say; there nobody is ever proven dead.
describe.runIf(platform() === 'linux')('a process that holds a lease', () => {
  const me = thisProcess();
  if (me === undefined) throw new Error('Linux says who a process is');

  it('is not dead while it lives', () => expect(isProvenDead(me)).toBe(false));

  it('is proven dead when it is gone, or its number belongs to another one', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(isProvenDead({ ...me, pid })).toBe(true);
    expect(isProvenDead({ ...me, start: `${me.start}1` })).toBe(true);
  });

  it.each(['host', 'boot', 'namespace'] as const)('of another %s proves nothing', (part) => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(isProvenDead({ ...me, pid, [part]: 'another' })).toBe(false);
  });

  it('is read back as it was written, and nothing else is taken for one', () => {
    expect(readIdentity(JSON.stringify(me))).toEqual(me);
    for (const text of [null, '', '{}', '[]', '7', '{"host":"a","boot":"b"}'])
      expect(readIdentity(text)).toBeUndefined();
  });
});
