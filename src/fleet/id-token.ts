import { createRemoteJWKSet, decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { isCommitId, type Job, type PipelineRule } from '@platform-sync/core/model/fleet';
import { patternOf } from '@platform-sync/core/model/pattern';
import { ownMember } from '@platform-sync/core/model/value';
import type { World } from '@platform-sync/core/model/world';

interface Forge {
  readonly issuer: string;
  /** Where its keys are, below the issuer. */
  readonly keys: string;
  /** What a rule or a job calls something → the claims that may say it. */
  readonly claims: Readonly<Record<'repository' | 'ref' | 'environment' | 'commit' | 'by' | 'run', readonly string[]>>;
}

/** The one place that knows what the forges put into the id token of a job. */
const forges: Readonly<Record<'github' | 'gitlab', Forge>> = {
  github: {
    issuer: 'https://token.actions.githubusercontent.com',
    keys: '/.well-known/jwks',
    claims: {
      ...{ repository: ['repository', 'repository_id'], ref: ['ref'], environment: ['environment'] },
      ...{ commit: ['sha'], by: ['actor'], run: ['run_id'] },
    },
  },
  gitlab: {
    issuer: 'https://gitlab.com',
    keys: '/oauth/discovery/keys',
    claims: {
      ...{ repository: ['project_path', 'project_id'], ref: ['ref_path'], environment: ['environment'] },
      ...{ commit: ['sha'], by: ['user_login'], run: ['job_id'] },
    },
  },
};

/** `unavailable`: the forge's keys could not be had, so nothing is known. */
interface Refusal {
  readonly refused: 'unauthorized' | 'forbidden' | 'unavailable';
  readonly why: string;
}

type Verdict = { readonly job: Job; readonly by: string } | Refusal;

/** Seconds. A job asks at once; what is older was kept by somebody. */
const oldest = 3_600;
const clocksDiffer = 30;

/** Only pairs of keys: what a forge publishes must not be what signs. */
const algorithms = ['RS256', 'PS256', 'ES256'];

type KeysOf = (address: string) => JWTVerifyGetKey;

/** What jobs of pipelines may ask for, by the id tokens that their forges give them. */
export class IdTokens {
  readonly #rules: readonly PipelineRule[];
  readonly #world: Pick<World, 'now'>;
  readonly #keysOf: KeysOf;
  readonly #keys = new Map<string, JWTVerifyGetKey>();

  constructor(rules: readonly PipelineRule[], world: Pick<World, 'now'>, keysOf: KeysOf = publishedKeys) {
    this.#rules = rules;
    this.#world = world;
    this.#keysOf = keysOf;
  }

  /** The job that may be put into the queue: a plan is one of the commit that the token names, and an apply of nothing else. */
  async jobOf(token: string, asked: Pick<Job, 'kind' | 'project' | 'stack'>): Promise<Verdict> {
    const said = issuerIn(token);
    const rules = this.#rules.filter((rule) => issuerOf(rule) === said);
    if (rules.length === 0) return unauthorized('no pipeline of fleet.yaml has its issuer');
    const seen: Verdict[] = [];
    // Rules of one issuer may have audiences of their own.
    for (const rule of rules) {
      const claims = await this.#claims(token, rule);
      const verdict = 'payload' in claims ? permitted(rule, claims.payload, asked) : claims;
      if ('job' in verdict) return verdict;
      seen.push(verdict);
    }
    // The refusal that came furthest says most.
    const [first = unauthorized('it is not valid')] = seen;
    return seen.find((one) => 'refused' in one && one.refused !== 'unauthorized') ?? first;
  }

  async #claims(token: string, rule: PipelineRule): Promise<{ readonly payload: JWTPayload } | Refusal> {
    const issuer = issuerOf(rule);
    const address = `${issuer.replace(/\/$/, '')}${forges[forgeOf(rule)].keys}`;
    const keys = this.#keys.get(address) ?? this.#keysOf(address);
    this.#keys.set(address, keys);
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer, audience: rule.audience, algorithms, clockTolerance: clocksDiffer, maxTokenAge: oldest },
        ...{ currentDate: new Date(this.#world.now()), requiredClaims: ['exp', 'iat', 'sub'] },
      });
      return { payload };
    } catch (error) {
      return refusalOf(error);
    }
  }
}

function publishedKeys(address: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(address), { timeoutDuration: 5_000, cooldownDuration: 30_000 });
}

function forgeOf({ github }: PipelineRule): 'github' | 'gitlab' {
  return github === undefined ? 'gitlab' : 'github';
}

function issuerOf(rule: PipelineRule): string {
  return rule.issuer ?? forges[forgeOf(rule)].issuer;
}

/** Not believed yet: it says by whose keys the token has to be checked. */
function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** Words of the library may quote the token. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof errors.JWTExpired) return unauthorized('it has expired');
  if (error instanceof errors.JWTClaimValidationFailed)
    return unauthorized(`its claim "${error.claim}" is another one`);
  if (error instanceof errors.JOSEAlgNotAllowed) return unauthorized('its algorithm is not taken');
  const isOurs = error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError);
  if (isOurs || error.code === 'ERR_JOSE_GENERIC')
    return { refused: 'unavailable', why: 'the keys of its issuer could not be read' };
  return unauthorized('its signature is none of its issuer');
}

function unauthorized(why: string): Refusal {
  return { refused: 'unauthorized', why: `The id token is not taken: ${why}.` };
}

function forbidden(why: string): Refusal {
  return { refused: 'forbidden', why: `This pipeline may not: ${why}.` };
}

function permitted(rule: PipelineRule, payload: JWTPayload, asked: Pick<Job, 'kind' | 'project' | 'stack'>): Verdict {
  const { claims } = forges[forgeOf(rule)];
  const said = (name: keyof Forge['claims']): readonly string[] =>
    claims[name].flatMap((claim) => {
      const value = ownMember(payload, claim);
      return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
    });
  const { github, gitlab, ref, environment, may, stacks } = rule;
  const [commit] = said('commit');
  const name = `${asked.project}/${asked.stack}`;
  const repository = github ?? gitlab ?? '';
  const fits = (wanted: string | undefined, of: keyof Forge['claims']): boolean =>
    wanted === undefined || said(of).some((value) => patternOf(wanted).test(value));
  if (repository === '' || !said('repository').includes(repository)) return forbidden('its repository is another one');
  if (!fits(ref, 'ref')) return forbidden('its ref is another one');
  if (!fits(environment, 'environment')) return forbidden('its environment is another one');
  if (!may.some((one) => one === asked.kind)) return forbidden(`it asks for no ${asked.kind}`);
  if (!stacks.some((pattern) => patternOf(pattern).test(name))) return forbidden(`${name} is none of its stacks`);
  const by = `${said('by')[0] ?? 'a pipeline'} by ${repository}, run ${said('run')[0] ?? 'unknown'}`;
  const { kind, project, stack } = asked;
  if (kind !== 'plan' && kind !== 'apply') return { job: { kind, project, stack }, by };
  if (commit === undefined || !isCommitId(commit)) return forbidden('its token names no commit');
  if (kind === 'apply') return { job: { kind, project, stack, head: commit }, by };
  return { job: { kind, project, stack, commit, request: said('ref')[0] ?? commit }, by };
}
