import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderOperations } from '@platform-sync/engine/plan/order';
import { operationsOf } from '@platform-sync/engine/plan/step';
import { withBoundOrders } from '@platform-sync/engine/plan/replacement-order';
import { byAddress, dependsOn, isInOrder, step } from '../engine/plan/worlds.js';
import { lawRuns } from './runs.js';

describe('any plan', () => {
  const actions = ['create', 'update', 'replace', 'delete', 'adopt', 'forget', 'move', 'options', 'none'] as const;
  const shape = fc.record({
    action: fc.constantFrom(...actions),
    createFirst: fc.boolean(),
    needs: fc.array(fc.nat(20), { maxLength: 3 }),
    needed: fc.array(fc.nat(20), { maxLength: 3 }),
  });

  it('can be carried out one by one, whatever is replaced how, and never ends what others still need', () => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 14 }), (shapes) => {
        // Earlier ones only: what depends on itself was refused long before.
        const earlier = (of: readonly number[], at: number): readonly string[] =>
          at === 0 ? [] : [...new Set(of.map((other) => `r${other % at}`))].sort();
        const graph = Object.fromEntries(shapes.map(({ needed }, at) => [`r${at}`, earlier(needed, at)]));
        const given = shapes.map(({ action, createFirst, needs }, at) =>
          step(`r${at}`, action, {
            ...(createFirst ? { order: 'create-first' as const } : {}),
            ...(action === 'create' ? {} : dependsOn(`r${at}`, ...earlier(needs, at))),
          }),
        );
        const steps = [...withBoundOrders(byAddress(given)).values()];
        const operations = operationsOf(orderOperations(byAddress(steps), new Map(Object.entries(graph))).steps);
        expect(isInOrder(operations)).toBe(true);
        const at = (id: string): number => operations.findIndex((operation) => operation.id === id);
        for (const one of steps) {
          for (const needed of one.recorded?.dependencies ?? []) {
            for (const end of [`${needed} delete`, `${needed} delete-old`]) {
              for (const own of [`${one.address} delete`, `${one.address} delete-old`])
                if (at(end) >= 0 && at(own) >= 0) expect(at(own)).toBeLessThan(at(end));
            }
          }
          for (const needed of one.desired === undefined ? [] : (graph[one.address] ?? [])) {
            const [made, own] = [at(`${needed} create`), at(`${one.address} create`)];
            if (made >= 0 && own >= 0) expect(made).toBeLessThan(own);
          }
        }
      }),
      { numRuns: lawRuns(2000) },
    );
  });
});
