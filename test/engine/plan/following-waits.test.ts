import { describe, expect, it } from 'vitest';
import type { Address } from '@platform-sync/core/model/address';
import { followingWaits } from '@platform-sync/engine/plan/order';
import type { Step } from '@platform-sync/engine/plan/step';
import { step, record } from './worlds.js';

/** A publication is written after the versions and implementations of its API, and ends before them. */

type Graph = Readonly<Record<Address, readonly Address[]>>;

const made = (address: string, kind: string): Step => step(address, 'create', { kind });
const ending = (address: string, kind: string, ...dependencies: readonly string[]): Step =>
  step(address, 'delete', { kind, recorded: record(address, { kind, dependencies }) });
const pairs = (later: string, earlier: string, kinds: readonly string[]): readonly string[] =>
  kinds.flatMap((own) => kinds.map((other) => `${later} ${own} < ${earlier} ${other}`));
const written = (later: string, earlier: string): readonly string[] =>
  pairs(later, earlier, ['create', 'update', 'adopt']);
const ended = (later: string, earlier: string): readonly string[] => pairs(later, earlier, ['delete', 'delete-old']);

function waits(steps: readonly Step[], graph: Graph = {}): readonly string[] {
  const now = (then: Address): Address => (then === 'former' ? 'api' : then);
  return followingWaits(steps, { graph: new Map(Object.entries(graph)), now }).map(
    ({ later, earlier }) => `${later} < ${earlier}`,
  );
}

const publication = made('p', 'ApiPublication');
const version = made('v', 'ApiVersion');

describe('what follows others in the same place', () => {
  it.each<[string, readonly Step[], Graph, readonly string[]]>([
    ['is written after them', [publication, version], { p: ['api'], v: ['api'] }, written('p', 'v')],
    [
      'after each of them, of every type it follows',
      [publication, version, made('w', 'ApiVersion'), made('i', 'ApiImplementation')],
      { p: ['portal', 'api'], v: ['api'], w: ['api'], i: ['service', 'api'] },
      [...written('p', 'v'), ...written('p', 'w'), ...written('p', 'i')],
    ],
    ['not after those of another place', [publication, version], { p: ['api'], v: ['other'] }, []],
    ['not where nobody lives anywhere', [publication, version], {}, []],
    ['not after what it does not follow', [publication, made('d', 'ApiDocument')], { p: ['api'], d: ['api'] }, []],
    ['ends before them', [ending('p', 'ApiPublication', 'api'), ending('v', 'ApiVersion', 'api')], {}, ended('v', 'p')],
    [
      'ends before them, where their place has another address now',
      [ending('p', 'ApiPublication', 'former'), ending('v', 'ApiVersion', 'api')],
      {},
      ended('v', 'p'),
    ],
    [
      'ends whenever those of another place do',
      [ending('p', 'ApiPublication', 'api'), ending('v', 'ApiVersion', 'other')],
      {},
      [],
    ],
    [
      'waits for nobody where nothing follows',
      [version, made('i', 'ApiImplementation')],
      { v: ['api'], i: ['api'] },
      [],
    ],
  ])('%s', (_name, steps, graph, expected) => {
    expect(waits(steps, graph)).toEqual(expected);
  });
});
