// `sync fleet work`, or another command, in a process of its own, which takes a dead worker for dead sooner than users would, unless
// SYNC_REAL_TIMES is set.
import { processHost } from '@platform-sync/cli/process/process-host';
import { runProgram } from '@platform-sync/cli/program';
import { openConsole, openQueue } from 'platform-sync-fleet/main';

const quick = { beatMs: 200, deadMs: 1_500, lookMs: 500, againMs: 200, partingMs: 3_000 };
const news = { gatherMs: 300, roundMs: 10_000, sentMs: 3_000 };
const host = { ...processHost(), fleetPackage: async () => ({ openQueue: quickly, openConsole }) };
const words = process.argv.slice(2);
process.exit(await runProgram(words.length > 0 ? words : ['fleet', 'work', '--at-once', '2'], host));

function quickly(...[url, world]: Parameters<typeof openQueue>): ReturnType<typeof openQueue> {
  return openQueue(url, world, process.env['SYNC_REAL_TIMES'] === undefined ? { ...quick, news } : {});
}
