import { crud } from '../../rest/crud.js';
import type { FieldDefinition, TypeDefinition } from '../../rest/definition.js';

const opensByDefault = (what: string): NonNullable<FieldDefinition['exposure']> => ({
  shown: 'public',
  hidden: 'private',
  says: {
    shown: `${what} that are new on the portal and do not say who sees them are public`,
    hidden: `${what} that are new on the portal and do not say who sees them are private`,
  },
  contents: true,
});

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
      exposure: {
        shown: false,
        hidden: true,
        says: {
          shown: 'everybody sees everything on the portal, without signing in',
          hidden: 'what is private on the portal is seen only by developers who have signed in',
        },
      },
    },
    autoApproveApplications: { kind: 'switchedOff', description: 'Whether applications need no approval.' },
    autoApproveDevelopers: {
      kind: 'switchedOff',
      description: 'Whether developers need no approval.',
      exposure: {
        shown: true,
        hidden: false,
        says: {
          shown: 'whoever registers at the portal is let in without approval',
          hidden: 'whoever registers at the portal waits for approval',
        },
        contents: true,
      },
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
      exposure: {
        shown: false,
        hidden: true,
        says: {
          shown: 'every developer who has signed in sees all that is private on the portal',
          hidden: 'developers see only what their teams may see',
        },
        contents: true,
      },
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
