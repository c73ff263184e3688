// Records what the examples' lookups answer on a fresh sandbox, for the reference pages.
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { answeredLookups } from './generate/answered-lookups.js';
import { packages } from './generate/packages.js';

const results = Object.fromEntries([...(await answeredLookups(packages))].sort(([a], [b]) => (a < b ? -1 : 1)));
const text = await format(JSON.stringify(results), { parser: 'json', printWidth: 120 });
writeFileSync(new URL('./generate/lookup-results.json', import.meta.url), text);
