import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTVerifyGetKey, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Job, PipelineRule } from '@platform-sync/core/model/fleet';
import { IdTokens } from '../../src/fleet/id-token.js';
import { jobIn } from '../../src/fleet/job-rows.js';
import { jobKey } from '../../src/fleet/schedule.js';

const now = Date.UTC(2030, 0, 1);
const commit = 'a'.repeat(40);
const github = 'https://token.actions.githubusercontent.com';
const gitlab = 'https://gitlab.example.com';
const rules: readonly PipelineRule[] = [
  { github: 'acme/shop', audience: 'sync', may: ['plan'], stacks: ['shop/*'] },
  {
    ...{ github: 'acme/shop', audience: 'sync', ref: 'refs/heads/main', environment: 'production' },
    ...{ may: ['apply', 'check'], stacks: ['shop/prod'] },
  },
  { gitlab: 'acme/pets', issuer: gitlab, audience: 'sync', ref: 'refs/heads/*', may: ['plan'], stacks: ['pets/*'] },
];

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
let own: Key;
let forged: Key;
let tokens: IdTokens;
const asked: string[] = [];

beforeAll(async () => {
  const [pair, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  [own, forged] = [pair.privateKey, other.privateKey];
  const keys: JWTVerifyGetKey = createLocalJWKSet({
    keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }],
  });
  tokens = new IdTokens(rules, { now: () => now }, (address) => {
    asked.push(address);
    return keys;
  });
});

const ofGithub = {
  repository: 'acme/shop',
  ref: 'refs/heads/main',
  environment: 'production',
  sha: commit,
  actor: 'ada',
  run_id: '7',
};
const ofGitlab = { project_path: 'acme/pets', ref_path: 'refs/heads/more', sha: commit, user_login: 'eve', job_id: 8 };
const seconds = now / 1_000;

interface Made {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly key?: Key;
  readonly iss?: string;
}

function token({ claims = {}, key = own, iss = github }: Made = {}): Promise<string> {
  const usual = { iss, aud: 'sync', sub: 'repo', iat: seconds - 10, exp: seconds + 300 };
  const payload = { ...usual, ...(iss === github ? ofGithub : ofGitlab), ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(key);
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

async function unsigned(alg: string): Promise<string> {
  const [, payload = '', signature = ''] = (await token()).split('.');
  return `${encoded({ alg, kid: 'one' })}.${payload}.${alg === 'none' ? '' : signature}`;
}

const job = (kind: Job['kind'], name: string): Pick<Job, 'kind' | 'project' | 'stack'> => {
  const [project = '', stack = ''] = name.split('/');
  return { kind, project, stack };
};

describe('the id token of a job of a pipeline', () => {
  it('queues what the rules allow: a plan or an apply is of the commit that it names', async () => {
    expect(await tokens.jobOf(await token(), job('apply', 'shop/prod'))).toEqual({
      ...{ job: { ...job('apply', 'shop/prod'), head: commit }, by: 'ada by acme/shop, run 7' },
    });
    expect(await tokens.jobOf(await token(), job('plan', 'shop/dev'))).toMatchObject({
      job: { ...job('plan', 'shop/dev'), commit, request: 'refs/heads/main' },
    });
    expect(await tokens.jobOf(await token({ iss: gitlab }), job('plan', 'pets/dev'))).toMatchObject({
      ...{ job: { ...job('plan', 'pets/dev'), commit, request: 'refs/heads/more' }, by: 'eve by acme/pets, run 8' },
    });
    expect(new Set(asked)).toEqual(new Set([`${github}/.well-known/jwks`, `${gitlab}/oauth/discovery/keys`]));
  });

  const apply = job('apply', 'shop/prod');
  const plan = job('plan', 'shop/dev');
  it.each<[string, () => Promise<string>, typeof apply, string]>([
    ['signed by somebody else', () => token({ key: forged }), plan, 'unauthorized'],
    ['without a signature', () => unsigned('none'), plan, 'unauthorized'],
    ['signed with what the forge publishes', () => unsigned('HS256'), plan, 'unauthorized'],
    ['no token at all', async () => 'x.y.z', plan, 'unauthorized'],
    ['empty', async () => '', plan, 'unauthorized'],
    ['expired', () => token({ claims: { exp: seconds - 60 } }), plan, 'unauthorized'],
    ['of tomorrow', () => token({ claims: { nbf: seconds + 600 } }), plan, 'unauthorized'],
    ['older than any job', () => token({ claims: { iat: seconds - 7_200 } }), plan, 'unauthorized'],
    ['without an end', () => token({ claims: { exp: undefined } }), plan, 'unauthorized'],
    ['for another audience', () => token({ claims: { aud: 'https://github.com/acme' } }), plan, 'unauthorized'],
    ['of another issuer', () => token({ iss: 'https://gitlab.com' }), plan, 'unauthorized'],
    ['of one forge with the claims of another', () => token({ iss: gitlab, claims: ofGithub }), apply, 'forbidden'],
    ['of another repository', () => token({ claims: { repository: 'acme/shop-fork' } }), plan, 'forbidden'],
    ['of a repository with other letters', () => token({ claims: { repository: 'Acme/shop' } }), plan, 'forbidden'],
    ['of another ref', () => token({ claims: { ref: 'refs/heads/main2' } }), apply, 'forbidden'],
    ['of a tag of that name', () => token({ claims: { ref: 'refs/tags/main' } }), apply, 'forbidden'],
    ['of another environment', () => token({ claims: { environment: 'staging' } }), apply, 'forbidden'],
    ['of no environment', () => token({ claims: { environment: undefined } }), apply, 'forbidden'],
    ['for another stack', () => token(), job('apply', 'shop/dev'), 'forbidden'],
    ['for a stack of another project', () => token(), job('plan', 'pets/dev'), 'forbidden'],
    [
      'that says itself what it may',
      () => token({ claims: { repository: 'x/y', job: {}, by: '', payload: {} } }),
      plan,
      'forbidden',
    ],
    ['of no commit', () => token({ claims: { sha: 'main' } }), plan, 'forbidden'],
    ['of a part of a commit', () => token({ claims: { sha: commit.slice(1) } }), apply, 'forbidden'],
    ['of an option of git', () => token({ claims: { sha: '--all' } }), apply, 'forbidden'],
    ['without a commit', () => token({ claims: { sha: undefined } }), apply, 'forbidden'],
    ['of many commits', () => token({ claims: { sha: [commit] } }), apply, 'forbidden'],
    ['with a list in place of a repository', () => token({ claims: { repository: ['acme/shop'] } }), plan, 'forbidden'],
  ])('is refused %s', async (_why, made, wanted, refused) => {
    const text = await made();
    const verdict = await tokens.jobOf(text, wanted);
    expect(verdict).toMatchObject({ refused });
    if (text !== '') expect(JSON.stringify(verdict)).not.toContain(text);
  });

  it('of one commit displaces no apply of another', async () => {
    const other = await token({ claims: { sha: 'b'.repeat(40) } });
    const verdicts = await Promise.all([await token(), other].map((text) => tokens.jobOf(text, apply)));
    const jobs = verdicts.flatMap((verdict) => ('job' in verdict ? [verdict.job] : []));
    expect(new Set(jobs.map(jobKey)).size).toBe(2);
    expect(jobs.map(jobIn)).toEqual(jobs);
  });

  it.each<[string, object]>([
    ['no text', { head: 7 }],
    ['nothing', { head: null }],
    ['empty', { head: '' }],
    ['a branch', { head: 'main' }],
    ['a part of one', { head: commit.slice(1) }],
    ['of a plan', { kind: 'plan', head: commit }],
  ])('makes no job that is bound to something else than the commit of an apply: %s', (_what, members) => {
    expect(() => jobIn({ ...apply, ...members })).toThrow('This is no job');
  });

  it('proves nothing while the keys can not be read', async () => {
    const away = new IdTokens(rules, { now: () => now }, () => () => Promise.reject(new TypeError('fetch failed')));
    expect(await away.jobOf(await token(), plan)).toMatchObject({ refused: 'unavailable' });
  });
});
