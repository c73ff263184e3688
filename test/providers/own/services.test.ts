import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../../src/engine/model/value.js';
import { ownPackage } from '../../../src/providers/own/package.js';
import { compileTypes } from '../../../src/types-compile/compile.js';
import { Description } from '../../../src/types-compile/description.js';
import { readDocument } from '../../../src/types-compile/read-document.js';
import { noRules, readRules } from '../../../src/types-compile/rules-file.js';
import type { Behaviours } from './stand-in.js';
import { livesOf, rulesOf } from './whole-lives.js';

/** A folder with public descriptions; they are others' work and lie nowhere in here. */
const folder = process.env['OWN_DESCRIPTIONS'] ?? '';
const files = folder === '' ? [] : readdirSync(folder).sort();
const minutes = 15 * 60_000;

interface Profile {
  readonly source: string;
  readonly behaviours: Behaviours;
  /** What its documentation says and its description leaves out. */
  readonly rules?: JsonObject;
  /** Types of it that live a whole life, at the least. */
  readonly lives: number;
}

const profiles = new URL('../../fixtures/services/', import.meta.url);
const services = readdirSync(profiles).map((file): readonly [string, Profile] => [
  file.replace(/\.yaml$/, ''),
  parse(readFileSync(new URL(file, profiles), 'utf8')) as Profile,
]);

describe.skipIf(files.length === 0)('descriptions in the folder that OWN_DESCRIPTIONS names (none: skipped)', () => {
  it.each(files)(
    '%s compiles without a stop, loads, and its lines settle every warning',
    async (file) => {
      const description = (): Description => new Description(readDocument(join(folder, file), file), file);
      const { types, open } = compileTypes(description(), noRules);
      expect(types.definitions.length).toBeGreaterThan(0);
      expect(open.filter(({ severity }) => severity === 'error')).toEqual([]);
      await ownPackage('acme', JSON.parse(JSON.stringify(types)) as JsonObject);
      const settled = compileTypes(description(), readRules(rulesOf(open), 'rules.yaml'));
      expect(settled.open.map(({ summary }) => summary)).toEqual([]);
    },
    minutes,
  );
});

describe('a whole life at a stand-in that behaves as its documentation says', () => {
  for (const [name, { source, behaviours, rules = {}, lives }] of services) {
    const file = join(folder, source);
    const isThere = folder !== '' && existsSync(file);
    it.skipIf(!isThere)(
      `is lived by ${lives} types of ${name}${isThere ? '' : ` (skipped: OWN_DESCRIPTIONS names no folder with ${source})`}`,
      async () => {
        const { lived, failed } = await livesOf(readDocument(file, source), behaviours, rules);
        expect(lived.length, [...failed].map(([type, why]) => `${type} ${why}`).join('\n')).toBeGreaterThanOrEqual(
          lives,
        );
      },
      minutes,
    );
  }
});
