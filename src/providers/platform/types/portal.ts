import { crud } from '@platform-sync/rest/crud';
import { opensByDefault, withoutApproval, withoutSignIn, withoutTeams } from '../records/portal-exposure.js';
import type { TypeDefinition } from '@platform-sync/rest/definition';

export const portal: TypeDefinition = {
  name: 'Portal',
  description: 'A developer portal, where APIs are published.',
  // The platform refuses to delete one on which something is published.
  operations: { ...crud('/v3/portals'), forceDelete: 'force' },
  list: { get: '/v3/portals', findBy: { 'filter[name][eq]': 'name' } },
  naturalKey: ['name'],
  unique: [['name']],
  absence: 'problem-404',
  hooks: { derive: 'portalDisplayName' },
  always: { but: ['description'] },
  fields: {
    authenticationEnabled: {
      kind: 'switchedOn',
      description: 'Whether developers sign in. Without it, everybody sees everything on the portal.',
      exposure: withoutSignIn,
    },
    autoApproveApplications: { kind: 'switchedOff', description: 'Whether applications need no approval.' },
    autoApproveDevelopers: {
      kind: 'switchedOff',
      description: 'Whether developers need no approval.',
      exposure: withoutApproval,
    },
    defaultApiVisibility: {
      kind: 'defaultVisibility',
      description: 'Who sees an API that is published.',
      exposure: opensByDefault('APIs'),
    },
    defaultPageVisibility: {
      kind: 'defaultVisibility',
      description: 'Who sees a page that does not say it.',
      exposure: opensByDefault('pages'),
    },
    defaultApplicationAuthStrategyId: {
      kind: 'id',
      description: 'Strategy of publications that name none.',
      nullable: true,
      references: 'ApplicationAuthStrategy',
    },
    description: { kind: 'prose', description: 'What the portal is for.', limits: { maxLength: 512 } },
    displayName: {
      description: 'Name of the portal as its visitors see it. Defaults to `name`.',
      size: [1, 255],
      clearing: { by: 'derived' },
    },
    labels: { kind: 'labels', description: 'Metadata labels.', absent: {} },
    name: {
      description: 'Name of the portal, unique in its region.',
      role: 'name',
      size: [1, 255],
      clearing: { by: 'nothing', why: 'a portal always has a name' },
    },
    notificationsDeveloperPiiVisibilityEnabled: {
      kind: 'switchedOff',
      description: 'Whether notifications show personal data of developers.',
      absent: false,
    },
    rbacEnabled: {
      kind: 'switchedOff',
      description: 'Whether what developers see depends on their teams.',
      exposure: withoutTeams,
    },
    siprEnabled: { kind: 'switchedOff', description: 'Whether only listed addresses reach the portal.' },
  },
  outputs: {
    canonicalDomain: { description: 'Where visitors find the portal.' },
    defaultDomain: { description: 'The domain that the platform gave the portal.' },
    createdAt: { kind: 'created' },
    updatedAt: { kind: 'updated' },
  },
};
