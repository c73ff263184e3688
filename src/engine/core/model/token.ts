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

/** Whose token a header carries, where the token is a JSON Web Token and says it. Nobody has checked that: it is for people. */
export function tokenSubject(header: string): string | undefined {
  const [, claims] = /^(?:bearer\s+)?[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(header.trim()) ?? [];
  if (claims === undefined) return undefined;
  try {
    const said: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
    const subject = typeof said === 'object' && said !== null && 'sub' in said ? said.sub : undefined;
    return typeof subject === 'string' && /^[\x20-\x7e]{1,200}$/.test(subject) ? subject : undefined;
  } catch {
    return undefined;
  }
}
