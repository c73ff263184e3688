import { channel } from 'node:diagnostics_channel';

/** Heard by whoever started the program: from here on, a run is long enough for code and memory that pay later. */
const isLong = channel('platform-sync:long-run');

/** About seven hundred resources, or as many steps. */
const longRun = 256 * 1024;

/** For each text that a run is about: how many characters there were before, and are now. */
export function tellLength(before: number, characters: number): void {
  if (before <= longRun && characters > longRun) isLong.publish({ characters });
}
