import { writeSync } from 'node:fs';
import type { ExitCode } from './exit-code.js';
import { realWorld } from '@platform-sync/core/model/world';

type Output = NodeJS.WriteStream;

/** What takes no more is written to no more. */
const gone = new Set<Output>();
let failure: string | undefined;

/** Text for stderr that leaves as soon as what runs now has ended: before anything else is heard of or waited for. */
let gathered = '';

/**
 * A reader that stops early (`| head`) is no error of ours; an apply must finish all the same. Output that can't be written
 * for another reason (a full disk) ends the run in order, as a first Ctrl-C does.
 */
export function surviveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', (error) => giveUp(stream, error));
  process.on('exit', writeGathered);
}

/** Lines on stderr for nobody who watches each of them appear: many steps may end in one turn, and one write tells them all. */
export function gatherErr(text: string): void {
  if (gathered === '') process.nextTick(writeGathered);
  gathered += text;
}

function writeGathered(): void {
  const text = gathered;
  gathered = '';
  if (text !== '') writeOut(process.stderr, text);
}

export function writeOut(stream: Output, text: string): void {
  // Both may be one file.
  writeGathered();
  if (gone.has(stream)) return;
  try {
    stream.write(text, (error) => {
      if (error !== null && error !== undefined) giveUp(stream, error);
    });
  } catch (error) {
    giveUp(stream, error as NodeJS.ErrnoException);
  }
}

/** Resolves when all that was printed has left, or is known to have failed. */
export async function printed(): Promise<void> {
  writeGathered();
  for (const stream of [process.stdout, process.stderr])
    if (!gone.has(stream)) await new Promise<void>((left) => stream.write('', () => left()));
  await realWorld.turn();
}

function giveUp(stream: Output, error: NodeJS.ErrnoException): void {
  gone.add(stream);
  if (error.code === 'EPIPE' || failure !== undefined) return;
  failure = error.code ?? error.message;
  process.emit('SIGTERM', 'SIGTERM');
}

/** True for an error that only says once more that the output failed. */
export function isOutputFailure(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return false;
  return error.syscall === 'write' && (error.code === 'EPIPE' || error.code === failure);
}

/** The exit code of the process: output that did not get out is a failure, told where there is still a way. */
export function finalCode(code: ExitCode): ExitCode {
  if (failure === undefined) return code;
  tellPlainly(`error: output-failed: the output cannot be written (${failure})`);
  return 1;
}

/** For when nothing else works any more. */
export function tellPlainly(line: string): void {
  writeGathered();
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Nobody can be told.
  }
}
