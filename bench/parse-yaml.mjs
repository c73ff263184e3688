// The yaml package alone: parses one file, keeps positions, does nothing with it.
import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';

const text = readFileSync(process.argv[2], 'utf8');
const lineCounter = new LineCounter();
const document = parseDocument(text, { lineCounter });
process.stdout.write(`${document.contents.items.length} ${document.errors.length} ${lineCounter.lineStarts.length}\n`);
