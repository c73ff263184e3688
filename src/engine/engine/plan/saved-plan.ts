import {
  canonicalJson,
  canonicalMembers,
  canonicalPieces,
  joinMembers,
  memberPieces,
  sha256,
} from '@platform-sync/core/model/canonical';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Plan } from '@platform-sync/core/model/plan';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { mostLevels, readJson, TooDeepError } from '@platform-sync/core/model/read-json';
import type { DesiredState } from '@platform-sync/core/model/desired';

/**
 * sha256 over everything in a plan but `digest` and `meta`. The detail of a failed read stays out: it may name that one
 * call (a trace id), and two plans of the same state must have the same digest.
 */
export function digestOf(plan: Omit<Plan, 'digest' | 'meta'> & Partial<Pick<Plan, 'digest' | 'meta'>>): string {
  const { digest: _digest, meta: _meta, ...body } = plan;
  return sha256(canonicalPieces({ ...body, notCompared: countedOf(body) }));
}

/** `members`: those of `body` as text, and any that the digest leaves out. */
function digestOfMembers(body: Pick<Plan, 'notCompared'>, members: ReadonlyMap<string, string>): string {
  const counted = new Map(members).set('notCompared', canonicalJson(countedOf(body)));
  for (const name of ['digest', 'meta', 'checksum']) counted.delete(name);
  return sha256(memberPieces(counted));
}

type Counted = Omit<Plan['notCompared'][number], 'diagnostic'> & { readonly diagnostic: Omit<Diagnostic, 'detail'> };

function countedOf({ notCompared }: Pick<Plan, 'notCompared'>): readonly Counted[] {
  return notCompared.map(({ diagnostic: { detail: _detail, ...diagnostic }, ...entry }) => ({
    ...entry,
    diagnostic,
  }));
}

/**
 * The plan as a file: canonical JSON, with a checksum over all of it (`meta` included), so that no byte of a
 * reviewed plan can change unnoticed.
 */
export function serializePlan(plan: Plan): string {
  // Writing out a large plan is the work here: it is done once.
  const members = canonicalMembers(plan);
  const checksum = sha256(memberPieces(members));
  return `${joinMembers(members.set('checksum', JSON.stringify(checksum)))}\n`;
}

/** Of the plans that this program writes and reads. */
const formatVersion = 1;

type Refusal = { readonly reason: 'not-a-plan' | 'altered' | 'outdated' | 'version'; readonly diagnostic: Diagnostic };

/** Reads such a file. `reason` says whether it is no plan at all, or one that was altered or is of an earlier program. */
export function parsePlan(text: string): { readonly plan: Plan } | Refusal {
  let document: Json;
  try {
    document = readJson(text, mostLevels.own);
  } catch (error) {
    const why = error instanceof TooDeepError ? `its ${error.message}` : 'it is not JSON';
    return refusal('not-a-plan', `The file is not a plan: ${why}.`);
  }
  const members: JsonObject = isObject(document) ? document : {};
  const { checksum, ...plan } = members;
  if (typeof checksum !== 'string' || !Array.isArray(plan['steps']))
    return refusal('not-a-plan', 'The file is JSON, but not a plan.');
  const version = plan['formatVersion'];
  if (typeof version === 'number' && version < formatVersion)
    return refusal('outdated', `The plan was made by an earlier version of this program (format ${version}).`);
  if (version !== formatVersion) {
    return refusal(
      'version',
      `The plan has format version ${String(version)}; this program reads version ${formatVersion}.`,
    );
  }
  if (!Array.isArray(plan['notCompared']))
    return refusal('altered', 'The plan file was changed after it was written: a part of it is missing.');
  const texts = membersIn(text.trimEnd(), members);
  const read = plan as unknown as Plan;
  if (!isIntact(read, checksum, texts))
    return refusal('altered', 'The plan file was changed after it was written: its checksum does not match.');
  return { plan: read };
}

// No text of JSON has this sign: it is written as an escape.
const gap = '\0';

/**
 * The members of a plan as they stand in its text; undefined where another than the steps is not canonical. The steps are nearly all
 * of it: they are taken as they are, and not written anew. Each of their characters is in both checksums.
 */
function membersIn(text: string, { steps: _steps, ...others }: JsonObject): Map<string, string> | undefined {
  const texts = canonicalMembers(others).set('steps', gap);
  const [before = '', after = ''] = joinMembers(texts).split(gap);
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined;
  return texts.set('steps', text.slice(before.length, text.length - after.length));
}

function isIntact(plan: Plan, checksum: string, texts: Map<string, string> | undefined): boolean {
  texts?.delete('checksum');
  if (texts === undefined || sha256(memberPieces(texts)) !== checksum) return false;
  return digestOfMembers(plan, texts) === plan.digest;
}

function refusal(reason: Refusal['reason'], summary: string): Refusal {
  return {
    reason,
    diagnostic: {
      severity: 'error',
      code: `plan-${reason}`,
      summary,
      hint: 'Make a new one: sync plan --out plan.json',
    },
  };
}

/** A plan with its digests, which are worked out once somebody asks: both write out all of it, and most plans are only shown. */
export function withDigests(
  body: Omit<Plan, 'digest' | 'catalogueDigest'>,
  catalogue: Pick<DesiredState, 'digest'>,
): Plan {
  let made: string | undefined;
  return {
    ...body,
    get catalogueDigest() {
      return catalogue.digest;
    },
    get digest() {
      return (made ??= digestOf({ ...body, catalogueDigest: catalogue.digest }));
    },
  };
}
