// Loaded before a program: writes down every script that the process has loaded when it ends, with its size.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const loaded = [];
const session = new Session();
session.connect();
session.on('Debugger.scriptParsed', ({ params: { url, length } }) => loaded.push({ url, length }));
session.post('Debugger.enable');
process.on('exit', () => writeFileSync(process.env.SYNC_TEST_LOADED, JSON.stringify(loaded)));
