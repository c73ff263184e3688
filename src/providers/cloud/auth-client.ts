import type * as library from 'google-auth-library';
import type { AuthClient, Compute } from 'google-auth-library';
import type { Trust } from '@platform-sync/core/model/trust';
import { admitKey } from './admit.js';
import type { CredentialChoice } from './credential-choice.js';
import { configurationError } from './errors.js';
import { directMetadata, directTransporter, keyClient } from './key-client.js';
import { findDefaultKey, readKey, secretsOf, type KeyFile } from './key-file.js';
import type { CloudSettings } from './settings.js';
import { capital } from './setting-values.js';
import { defaultUniverse, metadataVariables, variables } from './wire.js';

type Library = typeof library;
type Env = Readonly<Record<string, string | undefined>>;

/** Something that hands out access tokens, and renews them. */
export interface OpenedCredentials {
  readonly client: AuthClient;
  /** For people. */
  readonly source: string;
  readonly secrets: readonly string[];
}

/** Builds the client of the credentials library for what is configured. Sends nothing but the question for a metadata server. */
export async function openCredentials(settings: CloudSettings, env: Env, trust: Trust): Promise<OpenedCredentials> {
  const library = await import('google-auth-library');
  const opened = await openSource(library, settings, env, trust);
  checkUniverse(opened, settings.universe);
  const { impersonate, scopes, hosts } = settings;
  if (impersonate === undefined) return opened;
  const client = new library.Impersonated({
    sourceClient: opened.client,
    targetPrincipal: impersonate.email,
    delegates: [...impersonate.delegates],
    targetScopes: [...scopes],
    transporter: directTransporter(library),
    endpoint: hosts.impersonation,
  });
  const source = `${opened.source}, acting as ${impersonate.email} (${impersonate.source})`;
  return { ...opened, client, source };
}

async function openSource(
  library: Library,
  settings: CloudSettings,
  env: Env,
  trust: Trust,
): Promise<OpenedCredentials> {
  const { credential, universe } = settings;
  switch (credential.kind) {
    case 'token': {
      const client = new library.OAuth2Client({ universeDomain: universe });
      client.setCredentials({ access_token: credential.token });
      return { client, source: credential.source, secrets: [credential.token] };
    }
    case 'exchange':
      return openExchange(library, credential, settings);
    case 'key': {
      const key = await readKey(credential.pathOrText, credential.source, env);
      if (credential.isSetting) await admitKey(key, trust);
      return openKey(library, key, settings);
    }
    case 'default': {
      const key = await findDefaultKey(env);
      return key === undefined ? openMetadata(library, settings) : openKey(library, key, settings);
    }
  }
}

function openExchange(
  library: Library,
  credential: Extract<CredentialChoice, { kind: 'exchange' }>,
  { scopes, hosts, universe }: CloudSettings,
): OpenedCredentials {
  const account = encodeURIComponent(credential.serviceAccountEmail);
  const client = new library.IdentityPoolClient({
    type: 'external_account',
    audience: credential.audience,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: hosts.exchange,
    service_account_impersonation_url: `${hosts.impersonation}/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
    subject_token_supplier: { getSubjectToken: () => Promise.resolve(credential.identityToken) },
    universe_domain: universe,
    transporter: directTransporter(library),
  });
  client.scopes = [...scopes];
  return { client, source: credential.source, secrets: [credential.identityToken] };
}

async function openKey(library: Library, key: KeyFile, settings: CloudSettings): Promise<OpenedCredentials> {
  try {
    const client = await keyClient(library, key.content, settings);
    return { client, source: key.source, secrets: secretsOf(key.content) };
  } catch {
    // The library's words may hold parts of the file.
    throw configurationError(
      'unusable-cloud-credentials',
      `${capital(key.source)} holds no usable ${key.type} credentials.`,
      'Make the file anew. Its content is not shown, for it may be secret.',
    );
  }
}

async function openMetadata(library: Library, { scopes, universe }: CloudSettings): Promise<OpenedCredentials> {
  directMetadata(library);
  if (!(await library.gcpMetadata.isAvailable())) throw nothingFound();
  const client: Compute = new library.Compute({ scopes: [...scopes], universeDomain: universe });
  return { client, source: 'the metadata server of this machine', secrets: [] };
}

function nothingFound(): Error {
  const names = [...variables.accessToken, ...variables.credentials, ...variables.defaultCredentialsFile];
  return configurationError(
    'missing-cloud-credentials',
    'No credentials for the cloud were found: no setting, no variable, no file of default credentials, no metadata server.',
    `Set accessToken or credentials in sync.yaml (with !env), or one of ${names.join(', ')}. On a machine of the cloud, ${metadataVariables.detection} and ${metadataVariables.host} say how the metadata server is found.`,
  );
}

/** A token must not go to a cloud it does not belong to. */
function checkUniverse({ client, source }: OpenedCredentials, universe: string): void {
  const own = client.universeDomain;
  if (own === universe) return;
  const hint =
    own === defaultUniverse
      ? 'Remove the setting universeDomain, or use credentials of that cloud.'
      : `universeDomain: ${own}`;
  throw configurationError(
    'cloud-universe-mismatch',
    `${capital(source)} belongs to the cloud ${own}, but the service is called at ${universe}.`,
    hint,
  );
}
