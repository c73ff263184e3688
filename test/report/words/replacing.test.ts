import { expect, it } from 'vitest';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { replacingNotes } from '@platform-sync/report/words/limits';

it.each<[Pick<FieldRule, 'onChange' | 'updatesOnly'>, readonly string[]]>([
  [{ onChange: 'update' }, []],
  [{ onChange: 'replace', updatesOnly: { fixed: ['arn'] } }, ['a change replaces the object']],
  [
    { onChange: 'update', updatesOnly: { kinds: { kind: ['a', 'b'] }, fixed: ['arn', 'zone'] } },
    [
      'a change replaces the object, unless kind is a or b before and after',
      'a change of arn or zone replaces the object',
    ],
  ],
  [
    { onChange: 'update', updatesOnly: { kinds: { kind: [] } } },
    ['a change replaces the object where there is a kind'],
  ],
])('says which changes of %o replace the object', (rule, notes) => {
  expect(replacingNotes(rule)).toEqual(notes);
});
