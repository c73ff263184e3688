import { createHash, randomUUID } from 'node:crypto';
import { fastify, type FastifyRequest } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** Somebody whom the provider vouches for. */
export interface MadeUpPerson {
  readonly sub: string;
  readonly email: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

/** An answer that is wrong in one way. */
export type Spoiling = 'nonce' | 'audience' | 'issuer' | 'signature' | 'expired' | 'unverified';

export interface LoginProvider {
  readonly issuer: string;
  /** The next answer is wrong so. */
  spoil: Spoiling | undefined;
  /** A token as a forge gives it to its jobs. */
  sign(claims: Readonly<Record<string, string>>, audience: string): Promise<string>;
  close(): Promise<void>;
}

/** As the body says it, or the header that its secret comes in. */
function clientIn({ headers, body }: FastifyRequest): string | undefined {
  const { client_id: said } = body as Readonly<Record<string, string>>;
  return (
    said ??
    Buffer.from((headers.authorization ?? '').slice(6), 'base64')
      .toString()
      .split(':')[0]
  );
}

/** An OpenID Connect provider without a password: whoever comes says who they are. Only ever on this machine, for demonstrations and tests. */
export async function startLoginProvider(client: string, people: readonly MadeUpPerson[]): Promise<LoginProvider> {
  const [{ publicKey, privateKey }, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<
    string,
    { readonly person: MadeUpPerson; readonly nonce: string; readonly challenge: string }
  >();
  const app = fastify({ forceCloseConnections: true });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  let issuer = '';
  const provider: LoginProvider = {
    issuer,
    spoil: undefined,
    close: () => app.close(),
    sign: (claims, audience) => signed(claims, audience),
  };
  const signed = (claims: Readonly<Record<string, string>>, audience: string): Promise<string> =>
    new SignJWT({ sub: 'job', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
  app.get('/.well-known/openid-configuration', () => ({
    ...{
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    },
    ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
    ...{ id_token_signing_alg_values_supported: ['RS256'], code_challenge_methods_supported: ['S256'] },
  }));
  app.get('/keys', () => ({ keys: [jwk] }));
  app.get('/.well-known/jwks', () => ({ keys: [jwk] }));
  app.get('/authorize', (request, reply) => {
    const query = request.query as Readonly<Record<string, string>>;
    const person = people.find(({ sub }) => sub === query['as']);
    if (person === undefined) {
      const links = people.map(({ sub, email }) => `<li><a href="${request.url}&as=${sub}">${email}</a></li>`);
      return reply
        .type('text/html')
        .send(`<!doctype html><title>Who are you?</title><h1>Who are you?</h1><ul>${links.join('')}</ul>`);
    }
    const code = randomUUID();
    codes.set(code, { person, nonce: query['nonce'] ?? '', challenge: query['code_challenge'] ?? '' });
    const back = new URLSearchParams({ code, state: query['state'] ?? '' });
    return reply.redirect(`${query['redirect_uri'] ?? ''}?${back.toString()}`);
  });
  app.post('/token', async (request, reply) => {
    const body = request.body as Readonly<Record<string, string>>;
    const known = codes.get(body['code'] ?? '');
    codes.delete(body['code'] ?? '');
    const challenge = createHash('sha256')
      .update(body['code_verifier'] ?? '')
      .digest('base64url');
    if (known === undefined || known.challenge !== challenge || clientIn(request) !== client)
      return reply.code(400).send({ error: 'invalid_grant' });
    const { spoil } = provider;
    provider.spoil = undefined;
    const { sub, ...claims } = known.person;
    const token = await new SignJWT({
      ...{ email_verified: spoil !== 'unverified', ...claims },
      nonce: spoil === 'nonce' ? 'another' : known.nonce,
    })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setSubject(sub)
      .setIssuer(spoil === 'issuer' ? 'http://127.0.0.1:1' : issuer)
      .setAudience(spoil === 'audience' ? 'another' : client)
      .setIssuedAt(spoil === 'expired' ? '-2h' : undefined)
      .setExpirationTime(spoil === 'expired' ? '-1h' : '5m')
      .sign(spoil === 'signature' ? other.privateKey : privateKey);
    return { access_token: randomUUID(), token_type: 'Bearer', expires_in: 300, id_token: token };
  });
  issuer = await app.listen({ host: '127.0.0.1', port: 0 });
  return Object.assign(provider, { issuer });
}
