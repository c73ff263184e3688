import type { StepResult } from '@platform-sync/engine/api';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import type { ApplyOutcome } from '@platform-sync/report/view/apply-outcome';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import { field, plan, step } from './plan-builder.js';

const commit = 'a1b2c3d4e5f6'.padEnd(40, '0');

/** A pull request's commit on a review platform, sync.yaml in a folder of a monorepo. */
export const place: ReviewPlace = {
  folder: 'apis/shop',
  commit,
  links: {
    commit: `https://git.example.com/acme/shop/commit/${commit}`,
    run: 'https://git.example.com/acme/shop/actions/runs/42',
    files: `https://git.example.com/acme/shop/blob/${commit}/`,
  },
};

export const problem: Diagnostic = {
  severity: 'error',
  code: 'unknown-key',
  summary: 'There is no property "nmae".',
  hint: 'did you mean name?',
  place: { file: 'catalogue/my pets (1).yaml', line: 4, column: 7 },
};

const steps: readonly StepResult[] = [
  { address: 'pets', action: 'update', outcome: 'done' },
  {
    ...{ address: 'shop', action: 'create', outcome: 'failed' },
    diagnostics: [{ severity: 'error', code: 'http-422', summary: 'The platform refused it: slug is taken.' }],
  },
  { address: 'shop/guide', action: 'create', outcome: 'skipped', because: 'shop' },
  { address: 'shop/more', action: 'create', outcome: 'skipped', because: 'shop' },
];

const stepsOf: Readonly<Record<ApplyOutcome['status'], readonly StepResult[]>> = {
  done: steps.slice(0, 1),
  partly: steps,
  failed: steps.slice(1),
  unknown: [],
  interrupted: [
    ...steps.slice(0, 1),
    { address: 'shop', action: 'create', outcome: 'skipped', because: 'interrupted' },
  ],
  stale: [],
  blocked: [],
};

/** The result of an apply that ended like this. */
export function outcome(status: ApplyOutcome['status']): ApplyOutcome {
  return {
    ...{ formatVersion: 1, kind: 'apply-result', project: 'shop', stack: 'prod', exitCode: 1, status },
    ...{ targets: { platform: 'https://platform.example' }, planDigest: 'd'.repeat(64), requests: 7 },
    ...{ steps: stepsOf[status], outputs: { url: 'https://shop.example' }, diagnostics: [] },
    sources: { shop: 'catalogue/my pets (1).yaml:4:7' },
    ...(status === 'stale'
      ? { mismatches: [{ what: 'pets was changed', reviewed: 'v1', now: 'v2', meaning: 'Somebody touched it.' }] }
      : {}),
    ...(status === 'blocked'
      ? { guards: [{ name: 'delete:pets', summary: 'pets is protected and would be deleted', addresses: ['pets'] }] }
      : {}),
  };
}

/** A plan that does the same to that many objects, and something else to two. */
export function updates(number: number): Plan {
  const published = field('status', { old: 'unpublished', new: 'published' });
  const same = Array.from({ length: number }, (_, at) =>
    step({ address: `api-${at}`, action: 'update', fields: [published], risks: [{ kind: 'publishes' }] }),
  );
  const other = step({
    address: 'other',
    action: 'update',
    fields: [field('content', { old: 'one\ntwo\nthree', new: 'one\n2\nthree\n' })],
  });
  const gone = step({
    address: 'gone',
    action: 'delete',
    fields: [field('title', { old: 'Guide' })],
    risks: [{ kind: 'deletes' }],
  });
  return plan({ steps: [...same, other, gone] });
}
