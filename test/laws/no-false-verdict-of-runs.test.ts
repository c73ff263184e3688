import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Provider, ProviderError, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { applyDocument } from '@platform-sync/report/document/apply';
import { driftDocument } from '@platform-sync/report/document/drift';
import { planDocument } from '@platform-sync/report/document/plan';
import { readJsonText } from '@platform-sync/report/diff/structured-text';
import { PlanViews } from '@platform-sync/report/view/plan-views';
import { PaperWorld, paperFolder, removeFolder } from '../harness/paper-world.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

/**
 * What `no-false-verdict` says of results holds of the runs that make them: over faults at any call of a check, a plan and an apply, a
 * sign of success stands only over a platform that is as it says.
 */

const names = ['ants', 'bees', 'cats'];

/** What a call does in place of what it should. `lost`: it is carried out, and only its answer is gone. */
interface Fault {
  readonly kind: ProviderErrorKind | 'bug';
  /** Calls that go well before it. */
  readonly after: number;
  readonly times: number;
  readonly lost: boolean;
}

const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom<Fault['kind']>(
    ...(['unauthenticated', 'forbidden', 'conflict', 'invalid', 'rate-limited', 'unavailable', 'ambiguous'] as const),
    ...(['unexpected-answer', 'not-found', 'bug'] as const),
  ),
  after: fc.nat(14),
  times: fc.constantFrom(1, 2, 100),
  lost: fc.boolean(),
});

function faulty(platform: Provider, { kind, after, times, lost }: Fault): Partial<Provider> {
  let calls = 0;
  const around =
    <A extends readonly unknown[], T>(work: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      calls += 1;
      if (calls <= after || calls > after + times) return work(...given);
      if (lost) await work(...given);
      if (kind === 'bug') throw new TypeError('a bug');
      throw new ProviderError(kind, [{ severity: 'error', code: 'forbidden', summary: `It failed: ${kind}.` }]);
    };
  const { list, read, find, create, update, delete: remove } = platform;
  return {
    ...{ list: around(list), read: around(read), find: around(find), create: around(create) },
    ...{ update: around(update), delete: around(remove) },
  };
}

let folder = '';
let cwd = '';
beforeAll(async () => {
  folder = await paperFolder({ shop: {} });
  cwd = join(folder, 'shop');
});
afterAll(() => removeFolder(folder));

const catalogue = (descriptions: Readonly<Record<string, string>>): JsonObject => ({
  resources: Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { type: 'platform:Api', properties: { description } },
    ]),
  ),
});

describe('over a thousand faults in runs', () => {
  it('none is told as clean or done that is not', { timeout: lawTimeoutMs }, async () => {
    const seen = new Map<string, number>();
    const told = (mark: string): string => {
      seen.set(mark, (seen.get(mark) ?? 0) + 1);
      return mark;
    };
    const law = fc.asyncProperty(
      ...[fault, fc.subarray(names), fc.subarray(names), fc.boolean(), fc.boolean()],
      async (given, clicked, changed, isGrown, isShrunk) => {
        const world = new PaperWorld();
        const before = Object.fromEntries(names.map((name) => [name, 'first']));
        world.write(cwd, catalogue(before));
        await world.apply(cwd);
        for (const object of world.platform.objects.values())
          if (clicked.includes(String(object.values['name']))) world.platform.edit(object, { description: 'by hand' });
        const wanted = {
          ...before,
          ...Object.fromEntries(changed.map((name) => [name, 'second'])),
          ...(isGrown ? { dogs: 'first' } : {}),
        };
        if (isShrunk) delete (wanted as Record<string, string>)["cats"];
        world.write(cwd, catalogue(wanted));
        world.calls = (platform) => faulty(platform, given);

        const checked = await world.open(cwd, (project) => project.drift()).catch(() => undefined);
        const found = told(checked === undefined ? 'drift broke' : `drift ${driftDocument(checked).mark}`);
        if (clicked.length > 0) expect(found).not.toBe('drift ✅');

        const isAsWanted = (): boolean => {
          const held = [...world.platform.objects.values()].map(({ values }) => [values['name'], values['description']]);
          return JSON.stringify(held.sort()) === JSON.stringify(Object.entries(wanted).sort());
        };
        const planned = await world.open(cwd, (project) => project.plan()).catch(() => undefined);
        if (planned?.plan !== undefined) {
          const views = new PlanViews(readJsonText, planned.plan);
          const mark = told(`plan ${planDocument(planned.plan, views, {}).mark}`);
          if (!isAsWanted()) expect(mark).not.toBe('plan ✅');
        }
        const ran = await world.apply(cwd).catch(() => undefined);
        if (ran === undefined) return void told('apply broke');
        const exitCode = ran.plan.notCompared.length > 0 ? 3 : 0;
        const mark = told(`apply ${applyDocument({ ...ran.result, exitCode }).mark}`);
        if (mark === 'apply ✅') expect(isAsWanted()).toBe(true);
      },
    );
    await fc.assert(law, { numRuns: lawRuns(600), seed: 1 });
    // The faults reach every way a run may end.
    expect(seen.size).toBeGreaterThan(12);
  });
});
