import { configurationError } from './errors.js';
import { mayCarrySecrets } from '@platform-sync/core/model/loopback';

/** The service's base address: `origin` plus a path prefix without trailing slash. */
export interface Endpoint {
  readonly origin: string;
  readonly prefix: string;
}

/** Reads a base address. `from` says for people where it came from. */
export function readEndpoint(text: string, from: string): Endpoint {
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
