import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaperPlatform } from '../harness/paper-platform.js';
import { PaperWorld, mustPlan, paperFolder, removeFolder } from '../harness/paper-world.js';
import { asResources, randomCatalogueOf } from './random-catalogue.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

/** A plan and a drift check see the same: what a plan would put back is what a check calls modified or deleted. */

let folder = '';
beforeAll(async () => void (folder = await paperFolder({ test: {} })));
afterAll(() => removeFolder(folder));

const texts = ['description', 'title', 'content', 'version', 'slug', 'visibility', 'status'] as const;
const edit = fc.record({
  pick: fc.nat(50),
  /** Fields that somebody clicks on; those that the type lacks are left alone. */
  fields: fc.subarray([...texts], { minLength: 1 }),
  labels: fc.dictionary(fc.constantFrom('alpha', 'beta', 'zeta'), fc.constantFrom('alpha', 'clicked'), { maxKeys: 3 }),
  how: fc.constantFrom('changed', 'changed', 'changed', 'cleared', 'deleted'),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function click(platform: PaperPlatform, { pick, fields, labels, how }: Edit): void {
  const all = [...platform.objects.values()];
  const object = all[pick % Math.max(1, all.length)];
  if (object === undefined) return;
  if (how === 'deleted') {
    platform.take(object.id);
    return;
  }
  const own = fields.filter((name) => name in object.type.fields);
  const value = (name: string): string | null =>
    how === 'cleared' ? null : name === 'visibility' ? 'private' : `${name} clicked`;
  platform.edit(object, {
    ...Object.fromEntries(own.map((name) => [name, value(name)])),
    ...('labels' in object.type.fields && { labels }),
  });
}

describe('one comparison', () => {
  it(
    'a plan puts back what a drift check finds, field by field',
    async () => {
      let seen = 0;
      await fc.assert(
        fc.asyncProperty(
          randomCatalogueOf({ apis: 2, products: 1 }),
          fc.array(edit, { minLength: 1, maxLength: 4 }),
          async (catalogue, edits) => {
            const [world, cwd] = [new PaperWorld(), join(folder, 'test')];
            world.write(cwd, { resources: asResources(catalogue) });
            await world.apply(cwd);
            for (const one of edits) click(world.platform, one);
            await world.open(cwd, async (project) => {
              const { plan } = await mustPlan(project, {});
              const { findings } = await project.drift({ remember: false });
              const restored = plan.steps.flatMap(({ address, action, fields }) => {
                if (action === 'create') return [`${address} deleted`];
                return fields.flatMap(({ field, cause }) => (cause === 'config' ? [] : [`${address} ${field}`]));
              });
              const found = findings.flatMap(({ address, class: kind, field }) => {
                if (kind === 'deleted') return [`${address} deleted`];
                return kind === 'modified' ? [`${address} ${field ?? ''}`] : [];
              });
              expect(restored.sort()).toEqual(found.sort());
              const strayed = plan.undeclaredChanges.map(({ address, field }) => `${address} ${field}`).sort();
              const left = findings.flatMap(({ address, class: kind, field }) =>
                kind === 'undeclared-changed' ? [`${address} ${field ?? ''}`] : [],
              );
              expect(strayed).toEqual(left.sort());
              seen += findings.length;
            });
          },
        ),
        { numRuns: lawRuns(200) },
      );
      expect(seen).toBeGreaterThan(0);
    },
    lawTimeoutMs,
  );
});
