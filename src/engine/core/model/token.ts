/** The last part of a token: `Api` of `platform:index/api:Api`. */
export function memberName(token: string): string {
  return token.slice(token.lastIndexOf(':') + 1);
}

/** The token people write: `platform:Api`, or `cloud:endpoints:getServiceIamPolicy` outside the module `index`. */
export function shortToken(token: string): string {
  const [provider = '', modulePath = ''] = token.split(':');
  const module = modulePath.split('/')[0];
  return module === 'index' ? `${provider}:${memberName(token)}` : `${provider}:${module}:${memberName(token)}`;
}
