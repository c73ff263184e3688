import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import { field, plan, step } from './plan-builder.js';

const document = 'platform:index/apiDocument:ApiDocument';

/** A text of 40 lines that no other number has. */
const textOf = (at: number, word: string): string =>
  Array.from({ length: 40 }, (_, line) => `${line === 20 ? word : 'Line'} ${line} of text ${at}`).join('\n');

/**
 * 5,000 steps: 1,497 published, 1,308 deleted of which each has a text of its own, 1,375 with another description each, 800
 * new, and 20 texts with a word changed.
 */
export function fiveThousand(): Plan {
  const many = (count: number, made: (at: number) => PlanStep): readonly PlanStep[] =>
    Array.from({ length: count }, (_, at) => made(at));
  const published = many(1497, (at) =>
    step({
      ...{ address: `guides/published-${at}`, type: document, action: 'update', risks: [{ kind: 'publishes' }] },
      fields: [field('status', { old: 'unpublished', new: 'published' })],
    }),
  );
  const deleted = many(1308, (at) =>
    step({
      ...{ address: `guides/deleted-${at}`, type: document, action: 'delete', risks: [{ kind: 'deletes' }] },
      fields: [field('content', { old: textOf(at, 'Line') }), field('title', { old: `Old guide ${at}` })],
    }),
  );
  const described = many(1375, (at) =>
    step({
      ...{ address: `apis/api-${at}`, action: 'update' },
      fields: [field('description', { old: `About ${at}`, new: `All about ${at}` })],
    }),
  );
  const made = many(800, (at) =>
    step({ address: `apis/new-${at}`, action: 'create', fields: [field('name', { new: `New ${at}` })] }),
  );
  const rewritten = many(20, (at) =>
    step({
      ...{ address: `texts/text-${at}`, type: document, action: 'update' },
      fields: [field('content', { old: textOf(at, 'Line'), new: textOf(at, 'Row') })],
    }),
  );
  return plan({ steps: [...published, ...deleted, ...described, ...made, ...rewritten] });
}
