import process from 'node:process';
import { visible } from '../report/escape.js';
import { finalCode, processSurroundings, tellPlainly } from './process-surroundings.js';
import { runProgram } from './program.js';

// The runtime's own report would print pages of the bundle.
process.on('uncaughtException', (error: unknown) => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  tellPlainly(`bug: ${visible(line)}, please report; set SYNC_DEBUG=1 for the stack`);
  if (process.env['SYNC_DEBUG'] === '1' && error instanceof Error) tellPlainly(error.stack ?? '');
  process.exit(1);
});
const code = await runProgram(process.argv.slice(2), processSurroundings());
// Ends now, not when the last idle connection does; but not before what was printed has left.
process.exitCode = code;
process.stdout.write('', () => process.stderr.write('', () => process.exit(finalCode(code))));
