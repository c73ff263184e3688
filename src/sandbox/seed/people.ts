import type { Row } from '../store/collection.js';
import { managedField } from '../wire.js';
import { cycle, fixedId, times } from './fixed.js';

const areas = ['payments', 'logistics', 'identity', 'search', 'mobile', 'research', 'billing'] as const;
const roles = ['developers', 'admins', 'viewers'] as const;

/** 27 teams: three pages; the first three belong to the platform. */
export const teams: readonly Row[] = Array.from({ length: 27 }, (_, at) => {
  const number = at + 1;
  const system = at < 3;
  const area = cycle(areas, at);
  const role = cycle(roles, at);
  return {
    id: fixedId('team', number),
    name: system ? `organization-${role}` : `${area}-${role}-${String(number)}`,
    description: system ? 'A team of the platform' : `People who look after ${area}`,
    system_team: system,
    labels: system ? {} : { area, env: cycle(['dev', 'prod'], at) },
    ...times(number),
  };
});

/** 26 system accounts: three pages; every fifth one is kept by the platform. */
export const systemAccounts: readonly Row[] = Array.from({ length: 26 }, (_, at) => {
  const number = at + 1;
  const area = cycle(areas, at);
  return {
    id: fixedId('systemAccount', number),
    name: at === 0 ? 'ci' : `${area}-robot-${String(number)}`,
    description: at === 0 ? 'Runs the pipelines' : `Automation of ${area}`,
    [managedField]: at % 5 === 4,
    ...times(number),
  };
});

/** 12 users: two pages; the last one has left. */
export const users: readonly Row[] = Array.from({ length: 12 }, (_, at) => {
  const number = at + 1;
  const name = `${cycle(areas, at)}-${cycle(roles, at)}`;
  return {
    id: fixedId('user', number),
    email: `${name}-${String(number)}@example.com`,
    full_name: `User ${String(number)}`,
    preferred_name: name,
    active: number < 12,
    ...times(number),
  };
});
