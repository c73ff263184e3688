import type { Violation } from './openapi.js';

/** Something done on purpose that the public description does not know, or contradicts. */
export interface Deviation {
  /** As in a violation; `*` stands for any operation. */
  readonly operation: string;
  readonly kind: Violation['kind'];
  /** As in a violation. */
  readonly what: string;
  readonly reason: string;
}

const pageRules = 'Bad page, filter and sort parameters get a 400 everywhere; this list forgets to describe it.';
const mediaTypes = 'Only JSON is taken anywhere; this operation forgets to describe the 415.';

/** Both ways to write an object of a collection, as they are described. */
const writes = [
  'POST /v3/portals',
  'PATCH /v3/portals/{portalId}',
  'POST /v2/portals',
  'PATCH /v2/portals/{portalId}',
  'POST /v2/control-planes',
  'PATCH /v2/control-planes/{controlPlaneId}',
  'POST /v1/mesh/control-planes',
  'PUT /v1/mesh/control-planes/{cpId}',
  'POST /v3/teams',
  'PATCH /v3/teams/{teamId}',
  'POST /v3/system-accounts',
  'PATCH /v3/system-accounts/{accountId}',
] as const;

/** One deviation of several operations, those whose names hold a text. */
function all(part: string, kind: Violation['kind'], whats: readonly string[], reason: string): readonly Deviation[] {
  return writes
    .filter((operation) => operation.includes(part))
    .flatMap((operation) =>
      whats
        .filter((what) => kind !== 'answer' || what === (operation.startsWith('POST') ? '201' : '200'))
        .map((what) => ({ operation, kind, what, reason })),
    );
}

const bothAnswers = ['201', '200'];

export const deviations: readonly Deviation[] = [
  ...all('', 'status', ['415'], mediaTypes),
  ...all(
    '/v2/portals',
    'answer',
    bothAnswers,
    'The description of all types names no default for the switches of a classic portal and lets them be null.',
  ),
  ...all('/v3/teams', 'status', ['401'], 'As for the list of teams.'),
  { operation: 'DELETE /v3/teams/{teamId}', kind: 'status', what: '401', reason: 'As for the list of teams.' },
  ...all('/v3/system-accounts', 'status', ['400'], 'A body that is wrong has no described answer.'),
  {
    operation: 'POST /v3/apis',
    kind: 'status',
    what: '409',
    reason: 'Name and version must be unique; which status says so is not published, and 409 is the house style.',
  },
  {
    operation: 'GET /v2/control-planes',
    kind: 'parameter',
    what: 'page[size]',
    reason: 'The description was adjusted for one client that always asks for 100; the parameter is an ordinary one.',
  },
  { operation: 'GET /v3/api-implementations', kind: 'status', what: '400', reason: pageRules },
  { operation: 'GET /v3/apis/{apiId}/versions', kind: 'status', what: '400', reason: pageRules },
  { operation: 'GET /v1/mesh/control-planes', kind: 'status', what: '400', reason: pageRules },
  { operation: 'POST /v3/apis/{apiId}/implementations', kind: 'status', what: '415', reason: mediaTypes },
  { operation: 'PUT /v3/apis/{apiId}/publications/{portalId}', kind: 'status', what: '415', reason: mediaTypes },
  { operation: 'POST /v3/apis/{apiId}/documents/{documentId}/move', kind: 'status', what: '415', reason: mediaTypes },
  {
    operation: 'POST /v3/apis/{apiId}/documents/{documentId}/move',
    kind: 'status',
    what: '400',
    reason: 'A body that is wrong, or a place below the document itself, has no described answer.',
  },
  {
    operation: 'POST /v3/apis/{apiId}/documents/{documentId}/move',
    kind: 'request',
    what: 'body',
    reason: 'The text of the operation says that a null parent is the top level; its schema forgets the null.',
  },
  {
    operation: 'PATCH /v2/api-products/{apiProductId}/documents/{id}',
    kind: 'request',
    what: 'body',
    reason: 'One known client of the platform sends a null content for none, so null is taken although undescribed.',
  },
  {
    operation: 'GET /v3/teams',
    kind: 'status',
    what: '401',
    reason: 'Every operation needs a token; the teams forget to describe what happens without.',
  },
  {
    operation: 'GET /v3/teams/{teamId}',
    kind: 'status',
    what: '401',
    reason: 'As for the list of teams.',
  },
  {
    operation: '*',
    kind: 'status',
    what: '429',
    reason: 'No operation describes its rate limit, and all of them have one.',
  },
];

/** What a description of the lookups and the catalogue alone leaves out; `test/facts` holds those types against a larger one. */
export function isLeftOutOfSmaller(path: string): boolean {
  return (
    /^\/v3\/(?:portals\/[^/]+\/.|apis\/[^/]+\/specifications$)/.test(path) ||
    /^\/v2\/(?:application-auth-strategies|api-products\/[^/]+\/product-versions$)/.test(path)
  );
}

export function deviationOf(violation: Violation): Deviation | undefined {
  return deviations.find(
    ({ operation, kind, what }) =>
      (operation === '*' || operation === violation.operation) && kind === violation.kind && what === violation.what,
  );
}

/** What is left after the known deviations. */
export function unexpected(violations: readonly Violation[]): readonly Violation[] {
  return violations.filter((violation) => deviationOf(violation) === undefined);
}
