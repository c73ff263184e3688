import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Plan, PlanStep } from '@platform-sync/core/model/plan';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import type { ConformanceCase, ConformanceService } from './conformance-row.js';
import { told, Unlike, type TrialProject } from './trial-project.js';

/** Where a walk takes place. */
export interface Stage {
  readonly trial: TrialProject;
  readonly service: ConformanceService;
  readonly type: ResourceType;
}

/** Address of the object that a walk is about. */
export const subject = 'subject';

export async function write(
  { trial }: Stage,
  row: ConformanceCase,
  properties: JsonObject,
  needs = row.needs,
): Promise<void> {
  await trial.write({ ...needs, [subject]: { type: row.type, properties } });
}

export async function begin(
  stage: Stage,
  row: ConformanceCase,
  properties = row.properties,
  needs = row.needs,
): Promise<Identity> {
  await write(stage, row, properties, needs);
  await stage.trial.apply();
  return identityOf(stage);
}

export async function identityOf({ trial }: Stage, address = subject): Promise<Identity> {
  const identity = await trial.identityOf(address);
  if (identity === undefined) throw new Unlike(`nothing is recorded of ${address}`);
  return identity;
}

export async function idOf(stage: Stage, address = subject): Promise<string> {
  return (await identityOf(stage, address)).id;
}

/** The one step that a plan should have. */
export function onlyStep(plan: Plan): PlanStep {
  const [step] = plan.steps;
  if (plan.steps.length !== 1 || step?.address !== subject) throw new Unlike(`the plan is: ${told(plan.steps)}`);
  return step;
}

export function expectSame(what: string, actual: Json, expected: Json): void {
  if (canonicalJson(actual) !== canonicalJson(expected))
    throw new Unlike(`${what} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}

export function without(properties: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}
