import { openStateStore } from '@platform-sync/state/open';
import { intent, resource } from '../engine/state/samples.js';

/** Program of a test: opens a state file, and reads it or writes to it, records of the given name, until it is killed. */
const [path = '', work, prefix = ''] = process.argv.slice(2);
const store = await openStateStore({ backend: 'sqlite', path }, 'shop', 'dev');
if (work === 'write') {
  const lease = await store.acquire('apply', { owner: 'child', waitMs: 0 });
  for (let at = 0; ; at += 1) {
    await Promise.all(
      ['x', 'y'].map(async (name) => {
        const address = `${prefix}${name}${at}`;
        await store.begin(lease, intent(address, { address }));
        await store.commit(lease, [
          { kind: 'put', resource: resource(address) },
          { kind: 'close-intent', id: address },
        ]);
        process.stdout.write(`${address}\n`);
      }),
    );
  }
}
await store.read();
await store.close();
