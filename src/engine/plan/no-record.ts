import type { Address } from '../model/address.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { isAdoptedByKey } from './adoptions.js';
import type { PlanInput } from './plan-input.js';
import type { Proposal } from './proposal.js';

type Input = Pick<PlanInput, 'adopt' | 'state' | 'mode'> & {
  readonly desired: { readonly resources: Pick<PlanInput['desired']['resources'], 'size'> };
};

/** What a plan without any record can't know. A stack that finds its objects by key is never without them. */
export function noRecordNotices(
  { adopt, state, mode, desired: { resources } }: Input,
  proposals: ReadonlyMap<Address, Proposal>,
): readonly Diagnostic[] {
  if (state.resources.size > 0 || mode === 'adopt') return [];
  if (mode === 'destroy') return [nothingDeleted];
  if (adopt !== undefined) return [nothingKnownToLeave];
  if (resources.size === 0) return [];
  const found = [...proposals.values()].filter(isAdoptedByKey).length;
  const all = resources.size === 1 ? 'the one resource' : `all ${resources.size} resources`;
  const known = found === 0 ? '' : `, although ${found === 1 ? 'the object of 1 exists' : `objects of ${found} exist`}`;
  return [
    {
      severity: found === 0 ? 'info' : 'warning',
      code: 'no-record',
      summary: `Nothing is recorded for this stack, so ${all} of the catalogue would be new to it${known}.`,
      hint: 'This is normal before a first apply. If the objects exist already, take them over first: sync adopt',
    },
  ];
}

const nothingDeleted: Diagnostic = {
  severity: 'warning',
  code: 'no-record',
  summary: 'Nothing is recorded for this stack, so nothing is deleted: only recorded objects are deleted.',
  hint: 'Keep the state between runs to have objects deleted. If the state was lost, record them again: sync adopt',
};

const nothingKnownToLeave: Diagnostic = {
  severity: 'info',
  code: 'no-record',
  summary: 'Nothing is recorded for this stack, so objects that left the catalogue are not known and stay.',
  hint: 'Keep the state between runs to have them deleted.',
};
