import process from 'node:process';
import { keepLastWordsShort } from './process/last-words.js';
import { finalCode, processSurroundings } from './process/process-surroundings.js';
import { runProgram } from './program.js';

keepLastWordsShort(process.env);
const code = await runProgram(process.argv.slice(2), processSurroundings());
// Ends now, not when the last idle connection does; but not before what was printed has left.
process.exitCode = code;
process.stdout.write('', () => process.stderr.write('', () => process.exit(finalCode(code))));
