import { describe, expect, it } from 'vitest';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { agreed } from '@platform-sync/engine/refresh/confirmed-reading';
import type { RefreshContext } from '@platform-sync/engine/refresh/context';
import { isDeniedTwice } from '@platform-sync/engine/refresh/evidence';
import { recordOf } from '../plan/made-up-plan.js';
import { typeOf } from '../plan/made-up-types.js';

/** An object is gone by two answers, never by one. */

const record = recordOf('a', 'Shelf', { name: 'a' }, { outputs: { name: 'a', updatedAt: '1' } });
const there: RemoteObject = { identity: record.identity, values: record.outputs };
const context = { mode: 'auto', desired: new Map(), same: () => true } as unknown as RefreshContext;

type Answer = RemoteObject | undefined;

describe('an object that is denied', () => {
  it.each<[Answer, Answer, boolean]>([
    [undefined, undefined, true],
    [undefined, there, false],
    [there, undefined, false],
    [there, there, false],
  ])('is gone when both answers deny it: %#', async (first, second, isGone) => {
    const answers = [first, second];
    expect(await isDeniedTwice(() => Promise.resolve(answers.shift()))).toBe(isGone);
  });

  it.each<[string, { listed?: RemoteObject; isLacking?: boolean }, Answer, string]>([
    ['by two reads where no list tells', {}, undefined, 'gone'],
    ['by no single read where no list tells', {}, there, 'failed'],
    ['by one read where a complete list lacks it', { isLacking: true }, there, 'gone'],
    ['by no read where a list shows it', { listed: there }, undefined, 'failed'],
  ])('is gone %s', async (_how, by, second, kind) => {
    const type = typeOf('Shelf');
    const read = (): Promise<Answer> => Promise.resolve(undefined);
    const readAgain = (): Promise<Answer> => Promise.resolve(second);
    expect(await agreed(context, { type, record, read, readAgain, ...by })).toMatchObject({ kind });
  });
});
