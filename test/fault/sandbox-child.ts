// A platform in a process of its own: says its address when it listens.
import { startSandbox } from '@platform-sync/sandbox/server';

const latencyMs = Number(process.argv[2] ?? '0');
const { url } = await startSandbox({ quiet: true, latencyMs });
process.send?.({ url });
process.on('disconnect', () => process.exit());
