import { expect, it } from 'vitest';
import { shownOf, shownValue } from '@platform-sync/engine/plan/shown-value';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { Seals } from '@platform-sync/core/value/seal';
import { unknown } from '@platform-sync/core/model/value';
import { productType, recorded, remote } from '../apply/stubs.js';

const seals = new Seals(() => 'seal');
const record = recorded('shop', '1', { outputs: { description: 'before', name: 'Shop' } });

it('what an answer leaves out is as it was shown before, and what it shows as null is null', () => {
  const shown = shownOf({ recorded: record, actual: remote('1', { description: null }) });
  expect([shown['description'], shown['name']]).toEqual([null, 'Shop']);
});

it('a field that every answer has is unknown where none was seen, and another one is null', () => {
  const { fields } = productType;
  const slug = { ...fields['name'], name: 'slug', input: false, alwaysReturned: true } as FieldRule;
  const object = { type: { ...productType, fields: { ...fields, slug } }, declared: new Map(), shown: {} };
  const said = ['slug', 'description'].map((name) => shownValue(object, name, `shop.${name}`, seals));
  expect(said).toEqual([unknown(['shop.slug']), null]);
});
