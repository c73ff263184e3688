import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan, Risk, PlanStep } from '@platform-sync/core/model/plan';
import type { Json } from '@platform-sync/core/model/value';
import { dangersOf } from '@platform-sync/report/document/danger';
import { readJsonText } from '@platform-sync/report/diff/structured-text';
import { compared } from '@platform-sync/report/view/compared';
import { PlanViews } from '@platform-sync/report/view/plan-views';
import { hostileNames } from '../report/hostile-plan.js';
import { field, plan, step } from '../report/plan-builder.js';
import { toldDangers } from '../report/told-dangers.js';
import { lawRuns, lawTimeoutMs } from './runs.js';
import { jobSummary, planMarkdown } from '../report/forms.js';

/** Names short and long, harmless and not, in every script. */
const name = fc.oneof(
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.constantFrom(...hostileNames),
  fc.nat(30).map((length) => 'long-name-'.repeat(length * 10)),
);
const type = fc.oneof(
  fc.nat(300).map((at) => `platform:index/t${at}:T${at}`),
  name.filter((text) => text !== ''),
);
const value = fc.oneof(
  fc.json().map((text) => JSON.parse(text) as Json),
  name,
);
const many = <T>(of: fc.Arbitrary<T>, times: readonly number[] = [1, 1, 40]): fc.Arbitrary<readonly T[]> =>
  fc
    .tuple(fc.array(of, { maxLength: 12 }), fc.constantFrom(...times))
    .map(([some, count]) => Array.from({ length: count }, () => some).flat());

const risk: fc.Arbitrary<Risk> = fc.oneof(
  fc.constantFrom<Risk>({ kind: 'deletes' }, { kind: 'replaces' }, { kind: 'publishes' }, { kind: 'unpublishes' }),
  name.map((what): Risk => ({ kind: 'cascades', what })),
);

/** A description with so many operations; fewer of them break the clients of those that are gone. */
const description = (operations: number): string =>
  JSON.stringify({
    openapi: '3.0.3',
    paths: Object.fromEntries(
      Array.from({ length: operations }, (_, at) => [`/p${at}`, { get: { responses: { '200': {} } } }]),
    ),
  });

const anyStep: fc.Arbitrary<PlanStep> = fc
  .record({
    address: name,
    type,
    action: fc.constantFrom('create', 'update', 'replace', 'delete', 'forget', 'adopt', 'move'),
    cause: fc.constantFrom('config', 'drift', 'both'),
    risks: fc.array(risk, { maxLength: 3 }),
    old: value,
    now: value,
    operations: fc.tuple(fc.nat(80), fc.nat(80)),
  })
  .map(({ old, now, operations, ...rest }) =>
    step({
      ...rest,
      fields: [
        field('metadata', { old, new: now, cause: rest.cause }),
        field('specContent', { old: description(operations[0]), new: description(operations[1]) }),
      ],
      reasons: [{ kind: 'reference-replaced', field: rest.address, path: [rest.address, rest.address] }],
    }),
  );

const note = (text: string): Diagnostic => ({
  severity: 'warning',
  code: 'x',
  summary: text,
  detail: text,
  hint: text,
});

const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    steps: many(anyStep, [1, 1, 20, 60]),
    guards: many(fc.record({ name, lifted: fc.option(name, { nil: undefined }) })),
    unread: many(fc.record({ address: fc.option(name, { nil: undefined }), type, text: name })),
    names: many(name),
    project: name,
  })
  .map(({ steps, guards, unread, names, project }) =>
    plan({
      ...{ project, stack: project, targets: { [project]: project }, steps },
      partial: { targets: names, excludes: names },
      guards: guards.map(({ lifted, ...guard }) => ({
        ...{ name: guard.name, summary: guard.name, addresses: names },
        ...(lifted === undefined ? {} : { lifted }),
      })),
      notCompared: unread.map(({ address, text, ...rest }) => ({
        ...{ type: rest.type, diagnostic: note(text) },
        ...(address === undefined ? {} : { address }),
      })),
      unmanaged: names.map((under) => ({ type: under, under, count: 3 })),
      undeclaredChanges: names.map((address) => ({ address, field: address, old: address, new: names.slice(0, 50) })),
      notices: names.map(note),
      outputs: names.map((output) => ({ name: output, old: names.slice(0, 50), new: output })),
      meta: {
        ...plan().meta,
        base: project,
        origins: Object.fromEntries(
          steps.map(({ address }, at) => [address, (['branch', 'pending', 'drift'] as const)[at % 3] ?? 'branch']),
        ),
      },
    }),
  );

describe('a comment about any plan at all', () => {
  it(
    'fits, and lists or counts every danger, every blocking guard and every failed read',
    () => {
      fc.assert(
        fc.property(anyPlan, fc.constantFrom(30_000, 60_000, 60_000), (made, maxCharacters) => {
          const comment = planMarkdown(made, { maxCharacters });
          expect(comment.length).toBeLessThanOrEqual(maxCharacters);
          const dangers = dangersOf(made, new PlanViews(made, readJsonText, compared)).length;
          expect(toldDangers(comment)).toEqual({ titled: dangers, told: dangers });
          const verdict = comment.slice(0, comment.indexOf('\n'));
          const blocking = made.guards.filter(({ lifted }) => lifted === undefined).length;
          expect(Number(/Blocked by (\d+)/.exec(verdict)?.[1] ?? 0)).toBe(blocking);
          // One answer that many hang on is one failed read.
          const reads = new Set(made.notCompared.map(({ diagnostic }) => diagnostic.summary)).size;
          expect(Number(/(\d+) reads? failed/.exec(verdict)?.[1] ?? 0)).toBe(reads);
          // The verdict is about the branch; what it does not cause has lines of its own.
          const others = [
            ...comment.matchAll(/^(?:Waiting before this branch|Changed by hand): .*?, (\d+) can hurt/gm),
          ];
          const counted = others.reduce((sum, match) => sum + Number(match[1]), 0);
          expect(Number(/(\d+) changes? can hurt/.exec(verdict)?.[1] ?? 0) + counted).toBe(dangers);
          expect(Buffer.byteLength(jobSummary(made))).toBeLessThan(1024 * 1024);
        }),
        { numRuns: lawRuns(40) },
      );
    },
    lawTimeoutMs,
  );
});
