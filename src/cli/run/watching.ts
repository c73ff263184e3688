import { watch } from 'node:fs';
import { errorCode } from '@platform-sync/core/model/diagnostic';
import { exitCode, type ExitCode } from '../process/exit-code.js';
import { UsageError } from '../process/usage-error.js';
import type { RunContext } from './run-context.js';

/** What an editor writes in one go comes within this time; what comes later is looked at once more. */
const settledMs = 25;

/** What tools keep for themselves, and the files of a database. */
const notOurs = /(?:^|[\\/])(?:\.git|\.sync|node_modules)(?:[\\/]|$)|\.(?:db|sqlite)\b|-(?:wal|shm|journal)$/;

/** Does the work again whenever a file of the project has changed, until somebody ends it: what is amiss is mended by the next change. */
export async function watching(
  { folder, host, interrupts, progress }: RunContext,
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  let isChanged = false;
  let wake = (): void => undefined;
  const onChange = (file: string | null): void => {
    if (file !== null && notOurs.test(file)) return;
    isChanged = true;
    wake();
  };
  const watcher = watcherOf(folder, onChange);
  try {
    for (;;) {
      progress.again();
      await work();
      host.err('\nWaits for a file to change; Ctrl-C ends it.\n');
      if (!isChanged) await new Promise<void>((resolve) => (wake = resolve));
      await host.world.sleep(settledMs);
      isChanged = false;
      if (interrupts.caught !== undefined) return exitCode({ signal: interrupts.caught });
    }
  } finally {
    watcher.close();
  }
}

function watcherOf(folder: string, onChange: (file: string | null) => void): ReturnType<typeof watch> {
  try {
    // A folder that goes away is a change like others: the work says so.
    return watch(folder, { recursive: true }, (_event, file) => onChange(file)).on('error', () => onChange(null));
  } catch (error) {
    throw new UsageError(`${folder} can't be watched (${errorCode(error) ?? 'unknown'})`);
  }
}
