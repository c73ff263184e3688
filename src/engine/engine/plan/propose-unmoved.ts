import { fieldsWhere, isAskedAlone, isWritten } from '@platform-sync/core/model/resource-type';
import type { Reading } from '@platform-sync/core/model/snapshot';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { isAlike } from '@platform-sync/core/value/equality';
import type { ObjectFacts } from '@platform-sync/core/value/field-comparison';
import { isUnmoved } from './change.js';
import type { Step, DesiredStep, ProposalInput } from './step.js';

const writtenFields = fieldsWhere(isWritten);
const none: readonly never[] = [];

/**
 * The step for a resource of which nothing moved: the file says the very words that are recorded, the object shows the very values
 * of the last answer, and nobody asks for more. It is what `compare` would propose, without the comparing. Undefined says nothing.
 */
export function proposeUnmoved(
  input: ProposalInput,
  base: DesiredStep,
  recorded: RecordedResource,
  reading: Reading,
): Step | undefined {
  const { address, type, declared } = base;
  const { options } = base.desired;
  if (reading.kind !== 'found' || recorded.type !== type.token) return undefined;
  if (recorded.protect !== options.protect || recorded.retainOnDelete !== options.retainOnDelete) return undefined;
  if (input.replace.has(address) || input.resend.has(address)) return undefined;
  if (!areSame(recorded.dependencies, input.graph.get(address) ?? none)) return undefined;
  if (isAskedAlone(type, recorded.outputs, reading.values)) return undefined;
  const facts = { declared, recorded, actual: reading.values };
  for (const rule of writtenFields(type)) if (!isUnmoved(rule, facts) && !isUnsaid(rule.name, facts)) return undefined;
  return { ...base, recorded, actual: reading, action: 'none' };
}

/** Neither file nor record says anything of the field, and what the platform shows of it stayed. */
function isUnsaid(
  name: string,
  { declared, recorded, actual }: Pick<ObjectFacts, 'declared' | 'recorded' | 'actual'>,
): boolean {
  if (recorded === undefined || declared.has(name) || name in recorded.inputs) return false;
  return isAlike(actual[name], recorded.outputs[name]);
}

function areSame(before: readonly string[], now: readonly string[]): boolean {
  return before.length === now.length && before.every((address, at) => address === now[at]);
}
