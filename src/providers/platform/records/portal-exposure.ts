import type { FieldDefinition } from '@platform-sync/rest/definition';

type Exposure = NonNullable<FieldDefinition['exposure']>;

export const withoutSignIn: Exposure = {
  shown: false,
  hidden: true,
  says: {
    shown: 'everybody sees everything on the portal, without signing in',
    hidden: 'only developers who have signed in see private parts of the portal',
  },
};

export const withoutApproval: Exposure = {
  shown: true,
  hidden: false,
  says: {
    shown: 'everybody who registers at the portal is let in without approval',
    hidden: 'everybody who registers at the portal waits for approval',
  },
  contents: true,
};

export const withoutTeams: Exposure = {
  shown: false,
  hidden: true,
  says: {
    shown: 'every developer who has signed in sees all that is private on the portal',
    hidden: 'developers see only what their teams may see',
  },
  contents: true,
};

export const opensByDefault = (what: string): Exposure => ({
  shown: 'public',
  hidden: 'private',
  says: {
    shown: `${what} that are new on the portal and do not say who sees them are public`,
    hidden: `${what} that are new on the portal and do not say who sees them are private`,
  },
  contents: true,
});
