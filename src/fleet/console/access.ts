import { consoleRoles, type ConsoleRole, type FleetStack, type RoleGrant } from '@platform-sync/core/model/console';
import { patternOf } from '@platform-sync/core/model/pattern';

/** Somebody who has proven who they are. */
export interface Person {
  /** Subject at the issuer, or the name of a token. */
  readonly id: string;
  /** As pages and the audit say it. */
  readonly name: string;
  /** What the issuer vouches for; roles are given to these. */
  readonly names: readonly string[];
  /** What else they call themselves: enough to be the author of a change, not to get a role. */
  readonly aliases: readonly string[];
  readonly groups: readonly string[];
  /** Of a program's token: it may do what its maker may, and no more than this. */
  readonly grant?: RoleGrant;
}

/**
 * Who may ask for what. `anybody`: it shows nothing of the fleet. `signed`: a forge proves itself by its signature. `person`: whoever
 * is logged in, or shows a token. A role is that for the stack in the address; without one, that for any stack.
 */
export type Admission = 'anybody' | 'signed' | 'person' | ConsoleRole;

/** Every route of the console. One that is not here keeps the console from starting. */
export const admissions: Readonly<Record<string, Admission>> = {
  'GET /healthz': 'anybody',
  'GET /assets/:name': 'anybody',
  'GET /login': 'anybody',
  'GET /login/return': 'anybody',
  'GET /signed-out': 'anybody',
  'POST /jobs': 'signed',
  'POST /hooks/github': 'signed',
  'POST /hooks/gitlab': 'signed',
  'POST /logout': 'person',
  'GET /': 'viewer',
  'GET /drift': 'viewer',
  'GET /requests': 'viewer',
  'GET /stacks/:project/:stack': 'viewer',
  'GET /stacks/:project/:stack/history': 'viewer',
  'GET /stacks/:project/:stack/runs/:run': 'viewer',
  'GET /stacks/:project/:stack/plans/:effect': 'viewer',
  'GET /stacks/:project/:stack/plans/:effect/diff': 'viewer',
  'GET /stacks/:project/:stack/drift': 'viewer',
  'POST /stacks/:project/:stack/drift/accept': 'planner',
  'POST /stacks/:project/:stack/drift/ignore': 'planner',
  'POST /stacks/:project/:stack/drift/revert': 'planner',
  // Nobody reviews it.
  'POST /stacks/:project/:stack/drift/record': 'approver',
  'POST /stacks/:project/:stack/check': 'planner',
  'POST /stacks/:project/:stack/plan': 'planner',
  'POST /stacks/:project/:stack/plans/:effect/approve': 'approver',
  'POST /stacks/:project/:stack/plans/:effect/apply': 'approver',
  'POST /stacks/:project/:stack/plans/:effect/break-glass': 'operator',
  'GET /stacks/:project/:stack/events': 'viewer',
  'GET /stacks/:project/:stack/runs/:run/events': 'viewer',
  'GET /fleet.json': 'viewer',
  'GET /audit': 'operator',
  'GET /audit/check': 'operator',
  'GET /tokens': 'operator',
  'POST /tokens': 'operator',
  'POST /tokens/:id/end': 'operator',
};

/** The highest role that any entry gives; undefined: none. */
export function roleOf(
  person: Person,
  stack: Pick<FleetStack, 'project' | 'stack' | 'labels'>,
  grants: readonly RoleGrant[],
): ConsoleRole | undefined {
  const { grant: most } = person;
  if (most !== undefined && !isMeant(stack, most)) return undefined;
  const given = grants.filter((grant) => isNamed(person, grant) && isMeant(stack, grant));
  const highest = Math.max(-1, ...given.map(({ role }) => consoleRoles.indexOf(role)));
  return consoleRoles[Math.min(highest, most === undefined ? highest : consoleRoles.indexOf(most.role))];
}

/** The highest role for any stack; where there is none yet, the highest of whoever the grants name. */
export function roleAnywhere(
  person: Person,
  stacks: readonly Pick<FleetStack, 'project' | 'stack' | 'labels'>[],
  grants: readonly RoleGrant[],
): ConsoleRole | undefined {
  const roles =
    stacks.length > 0
      ? stacks.map((stack) => roleOf(person, stack, grants))
      : person.grant === undefined
        ? grants.filter((grant) => isNamed(person, grant)).map(({ role }) => role)
        : [];
  return consoleRoles[Math.max(-1, ...roles.map((role) => (role === undefined ? -1 : consoleRoles.indexOf(role))))];
}

/** That a role is enough for what is asked. */
export function suffices(role: ConsoleRole | undefined, asked: ConsoleRole): boolean {
  return role !== undefined && consoleRoles.indexOf(role) >= consoleRoles.indexOf(asked);
}

function isNamed({ names, groups }: Person, { people = [], groups: wanted = [] }: RoleGrant): boolean {
  return wanted.includes('*') || wanted.some((each) => groups.includes(each)) || isOneOf(names, people);
}

function isMeant(
  { project, stack, labels }: Pick<FleetStack, 'project' | 'stack' | 'labels'>,
  grant: RoleGrant,
): boolean {
  const { stacks = ['*'], labels: wanted = {} } = grant;
  return (
    stacks.some((pattern) => patternOf(pattern).test(`${project}/${stack}`)) &&
    Object.entries(wanted).every(([name, value]) => Object.hasOwn(labels, name) && labels[name] === value)
  );
}

/** Names of people have no case. */
export function isOneOf(names: readonly string[], of: readonly string[]): boolean {
  const known = new Set(of.map((name) => name.toLowerCase()));
  return names.some((name) => known.has(name.toLowerCase()));
}
