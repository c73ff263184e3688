import { existsSync } from 'node:fs';
import { isLedAway } from '@platform-sync/engine/trust/paths';

/** Whether there is a file, and it lies in the repository: a link that came with the checkout may lead to any of the machine. */
export function isOwnFile(path: string): boolean {
  return existsSync(path) && !isLedAway(path);
}
