import { describe, expect, it } from 'vitest';
import { plainInputs } from '@platform-sync/engine/apply/create';
import { StepFailure } from '@platform-sync/engine/apply/failure';
import { adoptedInputs, adoptedRecord, recordOf } from '@platform-sync/engine/apply/record';
import { defaultOptions, type DesiredResource } from '@platform-sync/core/model/desired';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { secret, unknown, type Value } from '@platform-sync/core/model/value';
import type { Step } from '@platform-sync/engine/plan/step';
import { recordOf as recorded, seals } from '../plan/made-up-plan.js';
import { ruleWith, typeOf } from '../plan/made-up-types.js';

/** What goes into state of an object that was written, found to be right, or taken over. */

const shelf = typeOf('Shelf');
const book = typeOf('Book');

const resource = (options: Partial<DesiredResource['options']> = {}): DesiredResource =>
  ({ address: 'a', type: shelf.token, options: { ...defaultOptions, ...options } }) as DesiredResource;
const place = { graph: new Map([['a', ['b']]]), seals };
const answer = { identity: { id: '1', scope: {} }, values: { name: 'A', updatedAt: '1' } };
const made = (
  declared: Readonly<Record<string, Value>>,
  rest: Parameters<typeof recordOf>[2] = {},
  { type = shelf, desired = resource(), object = answer as RemoteObject } = {},
) => {
  const known = { address: 'a', type, desired, declared: new Map(Object.entries(declared)) };
  return recordOf(place, known, rest)(object);
};
const old = { identity: { id: '0', scope: {} }, outputs: { name: 'old' } };

describe('the record of an object', () => {
  it('has what the file said, what the platform answered, and the options', () => {
    expect(made({ name: 'A', note: null }, {}, { desired: resource({ protect: true }) })).toEqual({
      ...{ address: 'a', type: shelf.token, identity: { id: '1', scope: {} }, dependencies: ['b'] },
      ...{ inputs: { name: 'A', note: null }, outputs: { name: 'A', updatedAt: '1' } },
      ...{ protect: true, retainOnDelete: false, deposed: [] },
    });
  });

  it('has its place among what was answered', () => {
    const placed = made(
      {},
      {},
      { type: book, object: { identity: { id: 't', scope: { shelfId: 'a' } }, values: { title: 'T' } } },
    );
    expect(placed.outputs).toEqual({ shelfId: 'a', title: 'T' });
  });

  it('seals secrets, and keeps what was sent where no answer shows it', () => {
    const { inputs, outputs } = made({ pin: secret('12', '!env PIN'), door: 'shut' });
    expect(inputs).toMatchObject({ pin: { $secret: { expression: '!env PIN' } }, door: 'shut' });
    expect(outputs).toMatchObject({ door: 'shut' });
    expect(JSON.stringify([inputs, outputs])).not.toContain('"12"');
  });

  it('says nothing of what is not known yet, nor of what is no field', () => {
    expect(made({ name: unknown(['b.id']), nothing: 'x' }).inputs).toEqual({});
  });

  it('keeps the old objects that are still to be deleted, unless it says which', () => {
    const previous = recorded('a', 'Shelf', {}, { deposed: [old] });
    expect(made({}, { previous }).deposed).toEqual([old]);
    expect(made({}, { previous, deposed: [] }).deposed).toEqual([]);
    expect(made({}).deposed).toEqual([]);
  });

  it('keeps what was said of a part that is left alone', () => {
    const previous = recorded('a', 'Shelf', { note: 'before' });
    expect(made({ note: 'after' }, { previous }, { desired: resource({ ignoreChanges: ['note'] }) }).inputs).toEqual({
      note: 'before',
    });
  });

  it('takes what others made of a part that is left alone for what was said, and not for what the platform makes of it', () => {
    const outputs = { name: 'A', note: 'before', labels: { a: '1', b: '2' } };
    // An answer without a revision vouches for nothing.
    const known = { ...outputs, updatedAt: '1' };
    const previous = recorded('a', 'Shelf', { note: 'before', labels: { a: '1', b: '2' } }, { outputs: known });
    const values = { ...outputs, note: 'by hand', labels: { a: '1', b: 'by hand' } };
    const ignoreChanges = ['note', 'labels.b'];
    const said = { note: 'after', labels: { a: '1', b: '3' } };
    const { inputs } = made(
      said,
      { previous },
      { desired: resource({ ignoreChanges }), object: { ...answer, values } },
    );
    expect(inputs).toEqual({ note: 'by hand', labels: { a: '1', b: 'by hand' } });
  });

  it('keeps what was said of a field that is left alone and said no more, and lets go of it otherwise', () => {
    const previous = recorded('a', 'Shelf', { note: 'before', labels: { a: '1', b: '2' } });
    const leaving = (...ignoreChanges: readonly string[]): unknown =>
      made({}, { previous }, { desired: resource({ ignoreChanges }) }).inputs;
    expect(leaving('note', 'labels.a')).toEqual({ note: 'before', labels: { a: '1' } });
    expect(leaving('*')).toEqual(previous.inputs);
    expect(leaving('labels.c', 'config.a')).toEqual({});
    expect(leaving()).toEqual({});
  });

  it('lets go of what no answer shows where a write takes the place of the whole', () => {
    const previous = recorded('a', 'Shelf', { door: 'shut', note: 'before' });
    const desired = resource({ ignoreChanges: ['*'] });
    expect(made({}, { previous }, { desired }).inputs).toEqual({ door: 'shut', note: 'before' });
    const type = { ...shelf, isWrittenWhole: true as const };
    expect(made({}, { previous }, { desired, type }).inputs).toEqual({ note: 'before' });
  });

  it('says of what was not written what it is given, and of what the platform lacks nothing', () => {
    const unwritten = { note: 'theirs', mode: null };
    expect(made({ name: 'A', note: 'ours', mode: 'shown' }, { unwritten }).inputs).toEqual({
      name: 'A',
      note: 'theirs',
    });
  });

  it('still knows what only others show of it', () => {
    const text = { ...ruleWith('text'), name: 'text', writeOnly: true, movesWith: 'mark' };
    const type = { ...shelf, fields: { ...shelf.fields, text } };
    const previous = recorded('a', 'Shelf', {}, { outputs: { text: 'kept', note: 'dropped' } });
    expect(made({}, { previous }, { type }).outputs).toEqual({ text: 'kept', name: 'A', updatedAt: '1' });
  });
});

describe('the record of an object that is only taken over', () => {
  const step = (more: object = {}): Step =>
    ({
      ...{ address: 'a', action: 'adopt', type: shelf, desired: resource() },
      actual: { identity: { id: '1', scope: {} }, values: { name: 'A', note: 'same\n', mode: 'hidden' } },
      declared: new Map<string, Value>([
        ['name', 'B'],
        ['note', 'same'],
        ['code', 'b'],
      ]),
      ...more,
    }) as unknown as Step;

  it('has the file’s words where the two are equal, and the platform’s where not', () => {
    const record = adoptedRecord(place, step());
    expect(record).toMatchObject({ identity: { id: '1' }, inputs: { name: 'A', note: 'same' }, dependencies: ['b'] });
    expect(Object.keys(record.inputs)).toEqual(['name', 'note']);
  });

  it('is asked of declared fields alone', () => {
    expect(adoptedInputs(step(), ['name', 'mode', 'nothing', 'code'], seals)).toEqual({ name: 'A', code: null });
  });
});

it('what is sent must be known: what it waits for is told otherwise', () => {
  const step = { address: 'a' } as Step;
  expect(plainInputs(step, new Map<string, Value>([['pin', secret('12', '!env PIN')]]))).toEqual({ pin: '12' });
  try {
    plainInputs(step, new Map<string, Value>([['note', unknown(['b.id', 'c.id'])]]));
    expect.unreachable();
  } catch (error) {
    expect(error instanceof StepFailure && error.diagnostics).toEqual([
      {
        ...{ severity: 'error', code: 'still-unknown', field: 'note' },
        summary: 'note of a is not known: it waits for b.id, c.id.',
        hint: 'Apply again: it reads what the platform shows by then.',
      },
    ]);
  }
});
