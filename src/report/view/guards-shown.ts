import type { GuardFinding, Plan } from '@platform-sync/core/model/plan';
import { count } from '../words/plural.js';
import { noRecordOf } from '../words/no-record.js';

/** The guards of a plan, as its readers are told of them. */
interface GuardsShown {
  readonly guards: readonly GuardFinding[];
  /** Of those that block: guards that lifting is no cure for; they would lift themselves once what exists is recorded. */
  readonly adoption?: GuardFinding;
}

/** Where nothing is recorded, what exists is to be recorded first: as one, and not lifted one by one. */
export function guardsShown({ guards, notices }: Pick<Plan, 'guards' | 'notices'>): GuardsShown {
  if (noRecordOf(notices) === undefined) return { guards };
  const isAdoption = ({ name, lifted }: GuardFinding): boolean => lifted === undefined && /^adopt(:|$)/.test(name);
  const adoptions = guards.filter(isAdoption);
  if (adoptions.length === 0) return { guards };
  const addresses = adoptions.flatMap((guard) => guard.addresses);
  const exist = addresses.length === 1 ? '1 object exists' : `${count(addresses.length, 'object')} exist`;
  return {
    guards: guards.filter((guard) => !isAdoption(guard)),
    adoption: { name: 'adopt', summary: `${exist} already and would be taken over by key`, addresses },
  };
}
