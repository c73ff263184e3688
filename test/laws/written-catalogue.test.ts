import fc from 'fast-check';
import { expect, it } from 'vitest';
import { needsDataFile } from '@platform-sync/catalogue/edit/write';
import type { Json } from '@platform-sync/core/model/value';
import { place, readBack, value } from '../engine/export/read-back.js';
import { trickyText } from '../engine/export/tricky-text.js';
import { lawRuns } from './runs.js';

it('a catalogue that is written keeps any JSON', async () => {
  const text = fc.oneof(trickyText, fc.string({ unit: 'binary' }));
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value as fc.Arbitrary<Json>;
  await fc.assert(
    fc.asyncProperty(fc.dictionary(text, json, { maxKeys: 4, noNullPrototype: true }), async (metadata) => {
      fc.pre(!needsDataFile(metadata));
      const read = await readBack({ ...place, title: value('t'), metadata: value(metadata) });
      expect(read).toMatchObject({ metadata: { ...metadata } });
    }),
    { numRuns: lawRuns(300) },
  );
});
