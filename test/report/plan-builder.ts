import { digestOf, serializePlan } from '@platform-sync/engine/plan/saved-plan';
import type { FieldChange, Plan, PlanSummary, PlanStep } from '@platform-sync/core/model/plan';

const summary: PlanSummary = {
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  forget: 0,
  adopt: 0,
  move: 0,
  unchanged: 0,
};

/** A plan with the parts a test is about; everything else is empty. */
export function plan(parts: Partial<Plan> = {}): Plan {
  const steps = parts.steps ?? [];
  const counts = { ...summary };
  for (const step of steps) counts[step.action] += 1;
  return {
    formatVersion: 1,
    engine: '0.1.0',
    mode: 'apply',
    project: 'payments',
    stack: 'default',
    targets: { platform: 'http://127.0.0.1:8080' },
    catalogueDigest: 'c'.repeat(64),
    lineage: '5b1b6f0c-7a55-4a7b-8d7e-000000000001',
    serial: 3,
    steps,
    outputs: [],
    summary: counts,
    guards: [],
    notCompared: [],
    unmanaged: [],
    undeclaredChanges: [],
    notices: [],
    lookups: {},
    digest: 'd'.repeat(64),
    meta: { createdAt: '2026-01-01T00:00:00.000Z', host: 'ci', sources: {}, fieldSources: {}, requests: 1 },
    ...parts,
  };
}

export function step(parts: Partial<PlanStep> & Pick<PlanStep, 'address' | 'action'>): PlanStep {
  return {
    type: 'platform:index/api:Api',
    fields: [],
    patch: [],
    reasons: [],
    risks: [],
    dependsOn: [],
    ...parts,
  };
}

export function field(name: string, parts: Partial<FieldChange> = {}): FieldChange {
  return { field: name, rule: 'update', cause: 'config', ...parts };
}

/** A plan's file as it is kept, with the digest of what is in it. */
export function sealedPlanText(parts: Partial<Plan> = {}): string {
  const made = plan(parts);
  return serializePlan({ ...made, digest: digestOf(made) });
}
