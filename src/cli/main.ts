import { keepLastWordsShort } from './process/last-words.js';
import { finalCode, printed } from './process/output.js';
import { processHost } from './process/process-host.js';
import { runProgram } from './program.js';

keepLastWordsShort(process.env);
const code = await runProgram(process.argv.slice(2), processHost());
// Ends now, not when the last idle connection does; but not before what was printed has left.
process.exitCode = code;
await printed();
process.exit(finalCode(code));
