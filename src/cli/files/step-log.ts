import type { World } from '@platform-sync/core/model/world';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StepResult } from '@platform-sync/engine/api';
import { mostLevels, readJson } from '@platform-sync/core/model/read-json';
import type { ApplyOutcome } from '@platform-sync/report/view/apply-outcome';
import { broughtAlong } from './tracked-file.js';

/** The events of an apply, beside its result while it goes on: they stay where it is killed. */
export const stepLogName = 'result-events.jsonl';

/** A result that nobody could write to its end, with what the events beside it say of its steps. */
export async function withLoggedSteps(
  outcome: ApplyOutcome,
  path: string,
  world: Pick<World, 'spawn'>,
): Promise<ApplyOutcome> {
  if (outcome.status !== 'unknown') return outcome;
  const log = join(dirname(path), stepLogName);
  // What came with a checkout says nothing about a run.
  if ((await broughtAlong(log, world)) !== undefined) return outcome;
  const text = await readFile(log, 'utf8').catch(() => '');
  return { ...outcome, ...stepsIn(text) };
}

/** What began and has no end in the events is open: its write may have reached the platform. */
function stepsIn(text: string): Pick<ApplyOutcome, 'steps' | 'open'> {
  const open = new Map<string, Pick<StepResult, 'address' | 'action'>>();
  const steps: StepResult[] = [];
  for (const event of text.split('\n').flatMap(stepEvent)) {
    const { type, address, action } = event;
    const key = `${action} ${address}`;
    if (type === 'step-started') open.set(key, { address, action });
    else open.delete(key);
    if (type === 'step-done') steps.push({ address, action, outcome: 'done' });
    if (type === 'step-failed') steps.push({ address, action, outcome: 'failed' });
  }
  return { steps, open: [...open.values()] };
}

interface StepEvent {
  readonly type: string;
  readonly address: string;
  readonly action: string;
}

/** None for another event, and for a line that the kill cut off. */
function stepEvent(line: string): readonly StepEvent[] {
  try {
    const value = readJson(line, mostLevels.own);
    return isStepEvent(value) ? [value] : [];
  } catch {
    return [];
  }
}

function isStepEvent(value: unknown): value is StepEvent {
  if (typeof value !== 'object' || value === null) return false;
  if (!('type' in value && 'address' in value && 'action' in value)) return false;
  return [value.type, value.address, value.action].every((text) => typeof text === 'string');
}
