import { describe, expect, it } from 'vitest';
import type { ResourceOptions } from '@platform-sync/core/model/desired';
import { markField, markRule } from '@platform-sync/core/model/ownership-mark';
import { secret, unknown, type JsonObject, type Value } from '@platform-sync/core/model/value';
import { diffResource } from '@platform-sync/engine/plan/change';
import { fingerprint } from '@platform-sync/engine/sealed-state';
import { Seals } from '@platform-sync/core/value/seal';
import { platformPackage } from '@platform-sync/platform/package';
import { foreignLabelPrefixes } from '@platform-sync/platform/wire';

/** A label key that another tool keeps its books under. */
const theirs = `${foreignLabelPrefixes[0] ?? ''}namespace`;

const key = '00'.repeat(32);
const seal = (value: Parameters<typeof fingerprint>[1]): string => fingerprint(key, value);

interface Case {
  readonly type?: string;
  readonly desired: Record<string, Value>;
  readonly inputs: JsonObject;
  readonly outputs?: JsonObject;
  readonly actual: JsonObject;
  readonly options?: Partial<ResourceOptions>;
}

function diff({ type = 'platform:index/api:Api', desired, inputs, outputs, actual, options }: Case) {
  const resourceType = platformPackage.types.get(type);
  if (resourceType === undefined) throw new Error(type);
  return diffResource({
    address: 'a',
    type: { ...resourceType, fields: { ...resourceType.fields, [markField]: markRule } },
    declared: new Map(Object.entries(desired)),
    recorded: { inputs, outputs: outputs ?? inputs },
    actual,
    ignored: options?.ignoreChanges ?? [],
    replaceOnChanges: options?.replaceOnChanges ?? [],
    resend: false,
    seals: new Seals(seal),
  });
}

const changes = (input: Case) => diff(input).changes.map((change) => change.shown);

describe('three-way diff', () => {
  it.each<[string, Case, object[]]>([
    ['nothing moved', { desired: { name: 'A' }, inputs: { name: 'A' }, actual: { name: 'A' } }, []],
    [
      'the file changed',
      { desired: { name: 'B' }, inputs: { name: 'A' }, actual: { name: 'A' } },
      [{ field: 'name', rule: 'update', cause: 'config', old: 'A', new: 'B' }],
    ],
    [
      'the platform changed',
      { desired: { name: 'A' }, inputs: { name: 'A' }, actual: { name: 'X' } },
      [{ field: 'name', rule: 'update', cause: 'drift', old: 'X', new: 'A' }],
    ],
    [
      'both changed, differently',
      { desired: { name: 'B' }, inputs: { name: 'A' }, actual: { name: 'X' } },
      [{ field: 'name', rule: 'update', cause: 'both', old: 'X', new: 'B' }],
    ],
    ['both changed to the same', { desired: { name: 'B' }, inputs: { name: 'A' }, actual: { name: 'B' } }, []],
    [
      'the platform spells the value in its own way, and nothing moved',
      {
        desired: { description: 'a <b>' },
        inputs: { description: 'a <b>' },
        outputs: { description: 'a &lt;b>' },
        actual: { description: 'a &lt;b>' },
      },
      [],
    ],
    [
      'a declared field was emptied on the platform',
      { desired: { description: 'd' }, inputs: { description: 'd' }, actual: { description: null } },
      [{ field: 'description', rule: 'update', cause: 'drift', new: 'd' }],
    ],
    [
      'the line is gone from the file: back to null',
      { desired: {}, inputs: { description: 'd' }, actual: { description: 'd' } },
      [{ field: 'description', rule: 'update', cause: 'config', old: 'd' }],
    ],
    [
      'the line is gone: back to the derived slug',
      { desired: { name: 'My API' }, inputs: { name: 'My API', slug: 'own' }, actual: { name: 'My API', slug: 'own' } },
      [{ field: 'slug', rule: 'update', cause: 'config', old: 'own', new: 'my-api' }],
    ],
    [
      'the line is gone, and so is the value',
      { desired: {}, inputs: { description: 'd' }, outputs: { description: 'd' }, actual: {} },
      [],
    ],
    [
      'the specification changed: replace',
      { desired: { specContent: 'b' }, inputs: { specContent: 'a' }, actual: {} },
      [{ field: 'specContent', rule: 'replace', cause: 'config', old: 'a', new: 'b' }],
    ],
    [
      'the specification has another last line break',
      { desired: { specContent: 'a\n' }, inputs: { specContent: 'a' }, actual: {} },
      [],
    ],
    [
      'the specification that the platform keeps is not the one that was sent',
      {
        desired: { specContent: 'a' },
        inputs: { specContent: 'a' },
        outputs: { specContent: 'b' },
        actual: { specContent: 'b' },
      },
      [{ field: 'specContent', rule: 'update', cause: 'drift', old: 'b', new: 'a' }],
    ],
    [
      'the specification changed, and the platform keeps the one before',
      { desired: { specContent: 'b' }, inputs: { specContent: 'a' }, actual: { specContent: 'a' } },
      [{ field: 'specContent', rule: 'replace', cause: 'config', old: 'a', new: 'b' }],
    ],
    [
      'a mark was taken off: it is put back in place, whatever replaces',
      {
        desired: { name: 'A', [markField]: 'shop.dev/a' },
        inputs: { name: 'A', [markField]: 'shop.dev/a' },
        outputs: { name: 'A' },
        actual: { name: 'A' },
        options: { replaceOnChanges: ['*'] },
      },
      [{ field: markField, rule: 'update', cause: 'config', new: 'shop.dev/a' }],
    ],
    [
      'a mark was off when it was last read: it is put back',
      {
        desired: { name: 'A', [markField]: 'shop.dev/a' },
        inputs: { name: 'A', [markField]: 'shop.dev/a' },
        outputs: { name: 'A', [markField]: null },
        actual: { name: 'A', [markField]: null },
      },
      [{ field: markField, rule: 'update', cause: 'config', new: 'shop.dev/a' }],
    ],
    [
      'the file falls silent about the specification: kept, and said so',
      { desired: {}, inputs: { specContent: 'a' }, actual: {} },
      [{ field: 'specContent', rule: 'update', cause: 'config', old: 'a', cannotClear: true }],
    ],
    [
      'a value is known only after apply',
      { desired: { description: unknown(['x.id']) }, inputs: { description: 'd' }, actual: { description: 'd' } },
      [{ field: 'description', rule: 'update', cause: 'config', old: 'd', new: { $unknown: ['x.id'] } }],
    ],
    [
      'a field the file is silent about keeps the platform value',
      { desired: {}, inputs: {}, outputs: { slug: 'a' }, actual: { slug: 'a' } },
      [],
    ],
    [
      'a label was added behind our back: it belongs to whoever set it',
      {
        desired: { labels: { team: 'a' } },
        inputs: { labels: { team: 'a' } },
        actual: { labels: { team: 'a', x: 'y' } },
      },
      [],
    ],
    [
      'a label of ours was changed: the others stay in what is sent',
      {
        desired: { labels: { team: 'a' } },
        inputs: { labels: { team: 'a' } },
        actual: { labels: { team: 'b', x: 'y' } },
      },
      [{ field: 'labels', rule: 'update', cause: 'drift', old: { team: 'b', x: 'y' }, new: { team: 'a', x: 'y' } }],
    ],
    [
      'a label left the file: it goes, and no other',
      {
        desired: { labels: { team: 'a' } },
        inputs: { labels: { team: 'a', old: '1' } },
        actual: { labels: { team: 'a', old: '1', x: 'y' } },
      },
      [
        {
          ...{ field: 'labels', rule: 'update', cause: 'config' },
          old: { team: 'a', old: '1', x: 'y' },
          new: { team: 'a', x: 'y' },
        },
      ],
    ],
    [
      'all labels left the file: those that were ours go',
      { desired: {}, inputs: { labels: { team: 'a' } }, actual: { labels: { team: 'a', x: 'y' } } },
      [{ field: 'labels', rule: 'update', cause: 'config', old: { team: 'a', x: 'y' }, new: { x: 'y' } }],
    ],
    [
      'a label that others own is never ours, even when file and record say so',
      {
        desired: { labels: { [theirs]: 'a' } },
        inputs: { labels: { [theirs]: 'a' } },
        actual: { labels: { [theirs]: 'b' } },
      },
      [],
    ],
    [
      'null clears a value that was never declared',
      { desired: { description: null }, inputs: {}, outputs: { description: 'd' }, actual: { description: 'd' } },
      [{ field: 'description', rule: 'update', cause: 'config', old: 'd' }],
    ],
    [
      'null that was applied stays so: somebody set it again',
      { desired: { description: null }, inputs: { description: null }, actual: { description: 'd' } },
      [{ field: 'description', rule: 'update', cause: 'drift', old: 'd' }],
    ],
    [
      'a null leaves the file: nothing is given back',
      { desired: {}, inputs: { description: null }, actual: { description: null } },
      [],
    ],
    [
      'null labels: none at all, but those of others',
      {
        desired: { labels: null },
        inputs: {},
        outputs: {},
        actual: { labels: { x: 'y', [theirs]: 'true' } },
      },
      [
        {
          ...{ field: 'labels', rule: 'update', cause: 'both' },
          old: { x: 'y', [theirs]: 'true' },
          new: { [theirs]: 'true' },
        },
      ],
    ],
    [
      'an ignored label keeps what is there while another one changes',
      {
        desired: { labels: { team: 'a', tier: '2' } },
        inputs: { labels: { team: 'a', tier: '1' } },
        actual: { labels: { team: 'hand', tier: '1' } },
        options: { ignoreChanges: ['labels.team'] },
      },
      [
        {
          ...{ field: 'labels', rule: 'update', cause: 'config' },
          old: { team: 'hand', tier: '1' },
          new: { team: 'hand', tier: '2' },
        },
      ],
    ],
    [
      'ignoreChanges of a field',
      { desired: { name: 'B' }, inputs: { name: 'A' }, actual: { name: 'A' }, options: { ignoreChanges: ['name'] } },
      [],
    ],
    [
      'ignoreChanges of everything',
      { desired: { name: 'B' }, inputs: { name: 'A' }, actual: { name: 'A' }, options: { ignoreChanges: ['*'] } },
      [],
    ],
    [
      'ignoreChanges of one label',
      {
        desired: { labels: { team: 'a' } },
        inputs: { labels: { team: 'a' } },
        actual: { labels: { team: 'a', x: 'y' } },
        options: { ignoreChanges: ['labels.x'] },
      },
      [],
    ],
    [
      'replaceOnChanges',
      { desired: { name: 'B' }, inputs: { name: 'A' }, actual: { name: 'A' }, options: { replaceOnChanges: ['name'] } },
      [{ field: 'name', rule: 'replace', cause: 'config', old: 'A', new: 'B' }],
    ],
    [
      'a parent id always replaces',
      {
        type: 'platform:index/apiDocument:ApiDocument',
        desired: { apiId: 'p2' },
        inputs: { apiId: 'p1' },
        actual: { apiId: 'p1' },
      },
      [{ field: 'apiId', rule: 'replace', cause: 'config', old: 'p1', new: 'p2' }],
    ],
    [
      'status goes back to its default',
      {
        type: 'platform:index/apiDocument:ApiDocument',
        desired: {},
        inputs: { status: 'published' },
        actual: { status: 'published' },
      },
      [{ field: 'status', rule: 'update', cause: 'config', old: 'published', new: 'unpublished' }],
    ],
  ])('%s', (_name, input, expected) => {
    expect(changes(input)).toEqual(expected);
  });

  it('says when only the record is out of date', () => {
    expect(diff({ desired: { name: 'B' }, inputs: { name: 'A' }, actual: { name: 'B' } }).converged).toBe(true);
    expect(diff({ desired: { name: 'A' }, inputs: { name: 'A' }, actual: { name: 'A' } }).converged).toBe(false);
    expect(diff({ desired: {}, inputs: { description: 'd' }, actual: {} }).converged).toBe(true);
  });

  it('reports a change of a field the file is silent about, without acting on it', () => {
    const result = diff({ desired: {}, inputs: {}, outputs: { slug: 'a' }, actual: { slug: 'b' } });
    expect(result.changes).toEqual([]);
    expect(result.undeclared).toEqual([{ address: 'a', field: 'slug', old: 'a', new: 'b' }]);
  });

  it('never shows a secret, and still sees whether it changed', () => {
    const sealed = (value: string) => ({ $secret: { expression: '!env X', fingerprint: seal(value) } });
    const same = {
      desired: { description: secret('hush', '!env X') },
      inputs: { description: sealed('hush') },
      actual: { description: 'hush' },
    };
    expect(changes(same)).toEqual([]);
    const [change] = changes({ ...same, desired: { description: secret('other', '!env X') } });
    expect(change).toEqual({
      field: 'description',
      rule: 'update',
      cause: 'config',
      old: sealed('hush'),
      new: sealed('other'),
    });
    const drifted = changes({ ...same, outputs: { description: sealed('hush') }, actual: { description: 'seen' } });
    expect(drifted).toEqual([
      { field: 'description', rule: 'update', cause: 'drift', old: sealed('seen'), new: sealed('hush') },
    ]);
    expect(JSON.stringify([change, drifted])).not.toMatch(/hush|seen/);
  });
});
