import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PipelineRule } from '@platform-sync/core/model/fleet';
import { IdTokens } from '../../src/fleet/id-token.js';
import { loopback } from '../providers/http/loopback.js';

const sha = 'a'.repeat(40);

/** As GitHub's reference of OpenID Connect lists them for a job of a branch with an environment. */
const github = {
  ...{ jti: 'example-id', sub: 'repo:acme/shop:environment:production', aud: 'sync', environment: 'production' },
  ...{ ref: 'refs/heads/main', ref_type: 'branch', ref_protected: 'true', sha, head_ref: '', base_ref: '' },
  ...{ repository: 'acme/shop', repository_owner: 'acme', repository_id: '74', repository_owner_id: '65' },
  ...{ repository_visibility: 'private', enterprise: 'acme-inc', enterprise_id: '2', actor: 'octocat', actor_id: '12' },
  ...{ run_id: '1234', run_number: '10', run_attempt: '2', runner_environment: 'github-hosted' },
  ...{ workflow: 'deploy', event_name: 'push', check_run_id: '99' },
  workflow_ref: 'acme/shop/.github/workflows/deploy.yml@refs/heads/main',
  workflow_sha: sha,
  job_workflow_ref: 'acme/shop/.github/workflows/deploy.yml@refs/heads/main',
  job_workflow_sha: sha,
};

/** As GitLab's page on ID tokens lists them, of a job with an environment. */
const gitlab = {
  ...{ namespace_id: '72', namespace_path: 'acme', project_id: '20', project_path: 'acme/shop' },
  ...{ user_id: '1', user_login: 'sample-user', user_email: 'sample-user@example.com', user_access_level: 'developer' },
  user_identities: [{ provider: 'github', extern_uid: '2435223452345' }],
  groups_direct: ['acme', 'acme/platform'],
  ...{
    pipeline_id: '574',
    pipeline_source: 'push',
    job_id: '302',
    job_project_id: '20',
    job_project_path: 'acme/shop',
  },
  ...{ ref: 'main', ref_type: 'branch', ref_path: 'refs/heads/main', ref_protected: 'true' },
  ...{ environment: 'production', environment_protected: 'true', deployment_tier: 'production' },
  ...{
    environment_action: 'start',
    runner_id: 1,
    runner_environment: 'self-hosted',
    sha,
    project_visibility: 'public',
  },
  ci_config_ref_uri: 'gitlab.example.com/acme/shop//.gitlab-ci.yml@refs/heads/main',
  ci_config_sha: sha,
  jti: '235b3a54-b797-45c7-ae9a-f72d7bc6ef5b',
  ...{ sub: 'project_path:acme/shop:ref_type:branch:ref:main', aud: 'sync' },
};

type Pair = Awaited<ReturnType<typeof generateKeyPair>> & { readonly jwk: JWK };

async function pairOf(kid: string): Promise<Pair> {
  const pair = await generateKeyPair('RS256');
  return { ...pair, jwk: { ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

let [one, two]: readonly Pair[] = [];
let published: readonly JWK[] = [];
let forge: Awaited<ReturnType<typeof loopback>>;
let rules: readonly PipelineRule[];

beforeAll(async () => {
  [one, two] = await Promise.all([pairOf('one'), pairOf('two')]);
  forge = await loopback(() => ({ status: 200, json: { keys: published } }));
  const bound = { audience: 'sync', ref: 'refs/heads/main', environment: 'production', may: ['apply'] } as const;
  const free = { audience: 'sync', may: ['plan'] } as const;
  rules = (['github', 'gitlab'] as const).flatMap((name) => {
    const of = { [name]: 'acme/shop', issuer: `${forge.origin}/${name}` };
    return [
      { ...of, ...bound, stacks: ['shop/prod'] },
      { ...of, ...free, stacks: ['shop/*'] },
    ];
  });
});
afterAll(() => forge.close());
afterEach(() => vi.useRealTimers());

const claimsOf = { github, gitlab };

interface Signed {
  readonly name: keyof typeof claimsOf;
  readonly claims?: object;
  readonly by?: Pair | undefined;
}

function signed({ name, claims = {}, by = one }: Signed): Promise<string> {
  const at = Math.floor(Date.now() / 1_000);
  const times = { iat: at - 2, nbf: at - 7, exp: at + 300, iss: `${forge.origin}/${name}` };
  return new SignJWT({ ...claimsOf[name], ...times, ...claims })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: by?.jwk.kid ?? '' })
    .sign(by?.privateKey ?? expect.fail());
}

const tokensNow = (): IdTokens => new IdTokens(rules, { now: () => Date.now() });
const asked = { project: 'shop', stack: 'prod' } as const;
const apply = { kind: 'apply', ...asked } as const;
const plan = { kind: 'plan', ...asked } as const;
const planOf = (request: string): object => ({ job: { ...plan, commit: sha, request } });
const applied = { job: { ...apply, head: sha } };
const refused = { refused: 'forbidden' };

/** What a job of a pull request says beside. */
const ofPull = {
  ...{ sub: 'repo:acme/shop:pull_request', environment: undefined, event_name: 'pull_request' },
  ...{ ref: 'refs/pull/12/merge', ref_protected: 'false', head_ref: 'main', base_ref: 'main' },
};
const ofMerge = {
  ...{ sub: 'project_path:acme/shop:ref_type:branch:ref:more', pipeline_source: 'merge_request_event' },
  ...{ ref: 'more', ref_path: 'refs/heads/more', ref_protected: 'false', environment: undefined },
};
const elsewhere = 'acme/platform/.github/workflows/sync.yml@refs/tags/v1';

describe('the claims that forges document', () => {
  it.each<[string, Signed, object, object]>([
    ['of a push', { name: 'github' }, applied, planOf('refs/heads/main')],
    [
      'for several audiences',
      { name: 'github', claims: { aud: ['https://github.com/acme', 'sync'] } },
      applied,
      planOf('refs/heads/main'),
    ],
    ['of another environment', { name: 'github', claims: { environment: 'prod' } }, refused, planOf('refs/heads/main')],
    ['of a pull request', { name: 'github', claims: ofPull }, refused, planOf('refs/pull/12/merge')],
    [
      'of a pull request that names an environment',
      { name: 'github', claims: { ...ofPull, environment: 'production' } },
      refused,
      planOf('refs/pull/12/merge'),
    ],
    [
      'of a workflow of another repository that this one calls',
      { name: 'github', claims: { job_workflow_ref: elsewhere } },
      applied,
      planOf('refs/heads/main'),
    ],
    [
      "of another repository that calls this one's workflow",
      {
        name: 'github',
        claims: { repository: 'eve/shop', repository_id: '75', sub: 'repo:eve/shop:ref:refs/heads/main' },
      },
      refused,
      refused,
    ],
    [
      'of a subject of its own making',
      { name: 'github', claims: { sub: 'acme:74' } },
      applied,
      planOf('refs/heads/main'),
    ],
    ['of a push', { name: 'gitlab' }, applied, planOf('refs/heads/main')],
    [
      'for several audiences',
      { name: 'gitlab', claims: { aud: ['vault', 'sync'] } },
      applied,
      planOf('refs/heads/main'),
    ],
    ['of a merge request', { name: 'gitlab', claims: ofMerge }, refused, planOf('refs/heads/more')],
    [
      'of a tag of that name',
      { name: 'gitlab', claims: { ref: 'main', ref_type: 'tag', ref_path: 'refs/tags/main' } },
      refused,
      planOf('refs/tags/main'),
    ],
    [
      'of a job without an environment',
      { name: 'gitlab', claims: { environment: undefined } },
      refused,
      planOf('refs/heads/main'),
    ],
    [
      'of a fork',
      { name: 'gitlab', claims: { project_path: 'eve/shop', project_id: '21', namespace_path: 'eve' } },
      refused,
      refused,
    ],
  ])('%s: %j', async (_what, given, toApply, toPlan) => {
    published = [one?.jwk ?? {}];
    const [tokens, text] = [tokensNow(), await signed(given)];
    expect(await tokens.jobOf(text, apply)).toMatchObject(toApply);
    expect(await tokens.jobOf(text, plan)).toMatchObject(toPlan);
  });

  it.each(['github', 'gitlab'] as const)('are believed by the keys that %s publishes now', async (name) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    published = [one?.jwk ?? {}];
    const tokens = tokensNow();
    const said = async (by: Pair | undefined): Promise<unknown> => tokens.jobOf(await signed({ name, by }), apply);
    expect(await said(one)).toMatchObject(applied);
    expect(await said(two)).toMatchObject({ refused: 'unauthorized' });
    // A new key is published beside the old one; whoever brings unknown ones has the forge asked no more than twice a minute.
    published = [one?.jwk ?? {}, two?.jwk ?? {}];
    expect(await said(two)).toMatchObject({ refused: 'unauthorized' });
    vi.setSystemTime(Date.now() + 31_000);
    expect(await said(two)).toMatchObject(applied);
    // The old one was withdrawn.
    published = [two?.jwk ?? {}];
    vi.setSystemTime(Date.now() + 11 * 60_000);
    expect(await said(one)).toMatchObject({ refused: 'unauthorized' });
    expect(await said(two)).toMatchObject(applied);
  });
});
