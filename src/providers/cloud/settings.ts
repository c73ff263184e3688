import { defined } from '@platform-sync/core/model/value';
import {
  chooseCredential,
  chooseImpersonation,
  type CredentialChoice,
  type Impersonation,
} from './credential-choice.js';
import type { Base } from '@platform-sync/rest/session';
import { configurationError } from './errors.js';
import {
  capital,
  type Configured,
  duration,
  flag,
  fromEnvironment,
  listSetting,
  text,
  textSetting,
} from './setting-values.js';
import { type CloudHosts, defaultScopes, defaultUniverse, hostsOf, variables } from './wire.js';
import { mayCarrySecrets } from '@platform-sync/core/model/loopback';

/** All that is configured, checked; nothing has been read or sent yet. */
export interface CloudSettings {
  readonly credential: CredentialChoice;
  readonly impersonate?: Impersonation;
  readonly scopes: readonly string[];
  /** Project that calls are counted for; beats what the credentials say. */
  readonly quotaProject?: string;
  readonly requestReason?: string;
  /** Domain of the cloud; the credentials must belong to it. */
  readonly universe: string;
  readonly hosts: CloudHosts;
  readonly endpoint: Base;
  /** The setting that named the endpoint; absent: the environment or the cloud's own address. */
  readonly endpointSetting?: string;
  /** Longest time one lookup takes, all attempts and waits together. */
  readonly timeoutMs: number;
}

const defaultTimeoutMs = 120_000;
const endpointSetting = 'serviceManagementCustomEndpoint';

/** Reads settings and environment. Throws a configuration error for what can't work. */
export function readSettings(configured: Configured, hosts: Partial<CloudHosts> = {}): CloudSettings {
  const credential = chooseCredential(configured);
  const impersonate = chooseImpersonation(
    configured,
    credential,
    listSetting(configured, 'impersonateServiceAccountDelegates'),
  );
  const universe = readUniverse(configured);
  const addresses = { ...hostsOf(universe), ...hosts };
  const custom = text(configured, endpointSetting, variables.endpoint);
  const quotaProject = readQuotaProject(configured);
  const requestReason = readReason(configured);
  return {
    credential,
    ...defined({ impersonate }),
    scopes: listSetting(configured, 'scopes') ?? defaultScopes,
    ...defined({ quotaProject, requestReason }),
    universe,
    hosts: addresses,
    ...(custom?.source.startsWith('the setting ') === true ? { endpointSetting } : {}),
    endpoint: readEndpoint(custom?.value ?? addresses.policies, capital(custom?.source ?? 'the default address')),
    timeoutMs: duration(configured, 'requestTimeout') ?? defaultTimeoutMs,
  };
}

function readUniverse(configured: Configured): string {
  const universe = textSetting(configured, 'universeDomain')?.value ?? defaultUniverse;
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(universe)) return universe.toLowerCase();
  throw configurationError(
    'invalid-cloud-setting',
    'The setting universeDomain is not a domain.',
    'universeDomain: cloud.example.com',
  );
}

/** The billing project counts only when it is asked for; else the variable that all tools of the vendor share. */
function readQuotaProject(configured: Configured): string | undefined {
  const override = flag(configured, 'userProjectOverride', variables.userProjectOverride);
  const billing = text(configured, 'billingProject', variables.billingProject);
  const project = override && billing !== undefined ? billing : fromEnvironment(configured, variables.quotaProject);
  return project === undefined ? undefined : headerText(project);
}

function readReason(configured: Configured): string | undefined {
  const reason = text(configured, 'requestReason', variables.requestReason);
  return reason === undefined ? undefined : headerText(reason);
}

function headerText({ value, source }: { readonly value: string; readonly source: string }): string {
  if (/^[\x20-\x7e]+$/.test(value)) return value;
  throw configurationError(
    'invalid-cloud-setting',
    `${capital(source)} holds characters that can't stand in a header.`,
    'Use plain letters, digits and punctuation on one line.',
  );
}

/** Reads a base address. `from` says for people where it came from. */
function readEndpoint(text: string, from: string): Base {
  const refuse = (what: string, hint: string): Error =>
    configurationError('invalid-cloud-endpoint', `${from} ${what}.`, hint);
  const example = 'Give an address such as https://host.example.com/v1/.';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw refuse('is not a web address', example);
  // What the URL holds is not repeated: it may be a password.
  if (url.username !== '' || url.password !== '')
    throw refuse('holds a user name or password', 'Credentials have settings of their own.');
  if (url.search !== '' || url.hash !== '') throw refuse('has a query or fragment', example);
  if (!mayCarrySecrets(url))
    throw refuse(
      'uses plain http, which would show the token to everyone on the way',
      'Use https. Plain http is for this machine only.',
    );
  const prefix = url.pathname.replace(/\/+$/, '');
  if (prefix === '') throw refuse('lacks the version', `It ends in the version: ${url.origin}/v1/`);
  return { origin: url.origin, prefix };
}
