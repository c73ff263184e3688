// The least that `plan --refresh none` can be: every file is read and parsed, every resource hashed, every record read and parsed.
import { createHash } from 'node:crypto';
import { readCatalogue } from './catalogue.mjs';
import { readRecords } from './state.mjs';

const hash = createHash('sha256');
for (const resource of Object.values(readCatalogue())) hash.update(JSON.stringify(resource));
console.log(`${readRecords().length} records, catalogue ${hash.digest('hex')}`);
