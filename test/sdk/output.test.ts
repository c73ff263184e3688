import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { DiagnosticError, Output, all, interpolate, output, secret } from '@platform-sync/sdk/index';

const unknownId = (): Output<string> => Output.unknown<string>('petstore.id');

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof DiagnosticError ? error.diagnostics[0]?.code : String(error);
}

describe('an Output', () => {
  it('waits for promises and Outputs at any depth', async () => {
    const value = output({ a: [Promise.resolve(1), { b: output(Promise.resolve('x')) }], c: null });
    expect(await value.promise()).toEqual({ a: [1, { b: 'x' }], c: null });
  });

  it('lifts members, of nothing too', async () => {
    const record: { team: { names: string[]; lead?: { name: string } } } = { team: { names: ['a', 'b'] } };
    const value = output(record);
    expect(await value.team.names[1]?.promise()).toBe('b');
    expect(await value.team.names.length.promise()).toBe(2);
    expect(await value.team.lead.name.promise()).toBeUndefined();
  });

  it('lifts own members only', async () => {
    const value = output({ a: 1 } as { a: number; hasOwnProperty?: unknown; __proto__?: unknown });
    expect(await value.hasOwnProperty.promise()).toBeUndefined();
    expect(await value.__proto__.promise()).toBeUndefined();
  });

  it('is no promise: await gives it back', async () => {
    const value = output(1);
    expect(Output.isInstance(await value)).toBe(true);
    expect(Output.isInstance({ apply: () => 1 })).toBe(false);
  });

  it('takes a Date or a class instance as one value', async () => {
    const when = new Date(0);
    expect(await output({ when }).promise()).toEqual({ when });
  });

  it('refuses a value that holds itself', async () => {
    const ring: { next?: unknown } = {};
    ring.next = [ring];
    expect(await codeOf(output(ring).promise())).toBe('value-holds-itself');
  });

  it('rejects with the reason of a promise in it', async () => {
    await expect(output({ a: Promise.reject(new Error('gone')) }).promise()).rejects.toThrow('gone');
  });

  it('is not harmed by whoever looks at members of a failed one', async () => {
    const failed = output(Promise.reject(new Error('gone')));
    const looked = ['asymmetricMatch', 'nodeType', '$$typeof'].map((key) => (failed as never)[key] as unknown);
    expect(looked.every(Output.isInstance)).toBe(true);
    await expect(failed.promise()).rejects.toThrow('gone');
  });
});

describe('apply', () => {
  it('flattens what the function returns', async () => {
    expect(
      await output(2)
        .apply(async (n) => output({ twice: Promise.resolve(n * 2) }))
        .twice.promise(),
    ).toBe(4);
  });

  it('is not called for an unknown value, and stays unknown', async () => {
    let calls = 0;
    const made = unknownId().apply(() => (calls += 1));
    expect(await made.isKnown()).toBe(false);
    expect(calls).toBe(0);
  });

  it('runs at once, whether or not anybody waits for the result', async () => {
    const seen: number[] = [];
    const before = output(1);
    before.apply((n) => seen.push(n));
    await before.apply(() => undefined).promise();
    expect(seen).toEqual([1]);
  });

  it('rejects with what the function throws', async () => {
    const failed = output(1).apply(() => {
      throw new Error('no');
    });
    await expect(failed.promise()).rejects.toThrow('no');
  });
});

describe('knowledge spreads', () => {
  const cases: readonly (readonly [
    string,
    () => Output<unknown>,
    { known: boolean; secret: boolean; from?: string[] },
  ])[] = [
    ['plain', () => output(1), { known: true, secret: false }],
    ['a secret', () => secret('s'), { known: true, secret: true }],
    ['an unknown', unknownId, { known: false, secret: false, from: ['petstore.id'] }],
    ['a secret part', () => output({ a: secret('s') }), { known: true, secret: true }],
    ['the public neighbour of a secret', () => output({ a: secret('s'), b: 1 }).b, { known: true, secret: false }],
    ['the secret part itself', () => output({ a: secret('s'), b: 1 }).a, { known: true, secret: true }],
    ['a member of a secret', () => secret({ a: { b: 1 } }).a.b, { known: true, secret: true }],
    ['an unknown part', () => output([unknownId(), 1]), { known: false, secret: false, from: ['petstore.id'] }],
    [
      'the known neighbour',
      () => output({ a: unknownId(), b: 1 }).b,
      { known: true, secret: false, from: ['petstore.id'] },
    ],
    ['a member of an unknown', () => Output.unknown<{ a: 1 }>('x.y').a, { known: false, secret: false, from: ['x.y'] }],
    ['a secret unknown', () => secret(unknownId()), { known: false, secret: true, from: ['petstore.id'] }],
    ['apply on a secret', () => secret('s').apply((s) => s.length), { known: true, secret: true }],
    ['apply returning a secret', () => output(1).apply(() => secret('s')), { known: true, secret: true }],
    [
      'apply returning an unknown',
      () => output(1).apply(unknownId),
      { known: false, secret: false, from: ['petstore.id'] },
    ],
    ['all', () => all([1, secret('s'), unknownId()]), { known: false, secret: true, from: ['petstore.id'] }],
    [
      'interpolate',
      () => interpolate`a ${secret('s')} ${unknownId()}`,
      { known: false, secret: true, from: ['petstore.id'] },
    ],
    ['named dependencies', () => output(1, ['b', 'a']), { known: true, secret: false, from: ['a', 'b'] }],
  ];

  it.each(cases)('%s', async (_name, make, { known, secret: isSecret, from = [] }) => {
    const value = make();
    expect([await value.isKnown(), await value.isSecret(), await value.dependencies()]).toEqual([
      known,
      isSecret,
      from,
    ]);
  });
});

describe('getting at a value', () => {
  it('promise() refuses secrets and unknowns, reveal() unknowns only', async () => {
    expect(await codeOf(secret('s').promise())).toBe('output-secret');
    expect(await secret({ a: 's' }).reveal()).toEqual({ a: 's' });
    expect(await codeOf(unknownId().promise())).toBe('output-unknown');
    expect(await codeOf(secret(unknownId()).reveal())).toBe('output-unknown');
    await expect(unknownId().promise()).rejects.toThrow('petstore.id');
  });

  it('all keeps types and order, of lists and records', async () => {
    expect(await all([output(1), 'two', Promise.resolve(true)]).promise()).toEqual([1, 'two', true]);
    expect(await all({ a: output(1), b: 'two' }).promise()).toEqual({ a: 1, b: 'two' });
  });

  it('interpolate builds text', async () => {
    const host = output({ name: 'example.com', port: 8080 });
    expect(await interpolate`https://${host.name}:${host.port}/${undefined}`.promise()).toBe(
      'https://example.com:8080/',
    );
  });
});

describe('what is shown of an Output', () => {
  const shown: readonly (readonly [string, (value: unknown) => string])[] = [
    ['String', (value) => String(value)],
    ['template', (value) => `${value as string}`],
    ['JSON', (value) => JSON.stringify({ value })],
    ['inspect', (value) => inspect({ value }, { depth: 9, showHidden: true })],
    ['inspect with its proxy', (value) => inspect(value, { depth: 9, showHidden: true, showProxy: true })],
  ];

  it.each(shown)('%s never has the value', async (_name, show) => {
    const value = secret({ token: 'canary-value' });
    await value.reveal();
    expect(show(value)).not.toContain('canary');
    expect(show(value.token)).not.toContain('canary');
    expect(show(value)).toMatch(/Output|Eventual/);
  });
});
