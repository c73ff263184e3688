/** Everything that names the real service behind the cloud provider. Nothing outside this file may. */

/** Domain all hosts of the ordinary cloud stand under; sovereign clouds have others. */
export const defaultUniverse = 'googleapis.com';

/** Addresses of one cloud. Tests put a loopback server in their place. */
export interface CloudHosts {
  /** Base of the calls, ending in the version. */
  readonly policies: string;
  /** Where a foreign identity token becomes an access token. */
  readonly exchange: string;
  /** Origin of the service that lends the identity of a service account. */
  readonly impersonation: string;
  /** Where keys and refresh tokens become access tokens, unless the credentials file names another address. */
  readonly token: string;
}

/** Where the credentials library takes keys and refresh tokens, whatever the credentials file says. */
export const libraryTokenUrl = 'https://oauth2.googleapis.com/token';

/** True for the hosts of the cloud itself that take tokens and keys. */
export function isOwnHost(hostname: string): boolean {
  return hostname.endsWith(`.${defaultUniverse}`) || hostname === 'accounts.google.com';
}

export function hostsOf(universe: string): CloudHosts {
  return {
    policies: `https://servicemanagement.${universe}/v1/`,
    exchange: `https://sts.${universe}/v1/token`,
    impersonation: `https://iamcredentials.${universe}`,
    token: libraryTokenUrl,
  };
}

const scope = 'https://www.googleapis.com/auth';
/** The scopes the vendor's own provider asks for. */
export const defaultScopes: readonly string[] = [`${scope}/cloud-platform`, `${scope}/userinfo.email`];

/** Right that reading a policy takes. */
export const readPermission = 'servicemanagement.services.getIamPolicy';
/** Right that setting a policy takes. */
export const writePermission = 'servicemanagement.services.setIamPolicy';
/** Right that counting calls on another project takes. */
export const quotaPermission = 'serviceusage.services.use';

export const headerNames = { quotaProject: 'x-goog-user-project', requestReason: 'x-goog-request-reason' } as const;

/** Environment variables of the vendor's tools; where there are several, the first that is not empty counts. */
export const variables = {
  accessToken: ['GOOGLE_OAUTH_ACCESS_TOKEN'],
  credentials: ['GOOGLE_CREDENTIALS', 'GOOGLE_CLOUD_KEYFILE_JSON', 'GCLOUD_KEYFILE_JSON'],
  defaultCredentialsFile: ['GOOGLE_APPLICATION_CREDENTIALS'],
  impersonate: ['GOOGLE_IMPERSONATE_SERVICE_ACCOUNT'],
  billingProject: ['GOOGLE_BILLING_PROJECT'],
  userProjectOverride: ['USER_PROJECT_OVERRIDE'],
  quotaProject: ['GOOGLE_CLOUD_QUOTA_PROJECT'],
  requestReason: ['CLOUDSDK_CORE_REQUEST_REASON'],
  endpoint: ['GOOGLE_SERVICE_MANAGEMENT_CUSTOM_ENDPOINT'],
  toolFolder: ['CLOUDSDK_CONFIG'],
} as const;

/** Read by the credentials library from the process itself: where the metadata server is, how it is looked for. */
export const metadataVariables = { host: 'GCE_METADATA_HOST', detection: 'METADATA_SERVER_DETECTION' } as const;

/** Folder of the vendor's command-line tool below the user's configuration folder, and the file it keeps there. */
export const toolFolderName = 'gcloud';
export const defaultCredentialsFileName = 'application_default_credentials.json';
