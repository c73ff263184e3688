import { canonicalJson, sha256 } from '../model/canonical.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { Plan } from '../model/plan.js';
import type { Json, JsonObject } from '../model/value.js';

/**
 * sha256 over everything in a plan but `digest` and `meta`. The detail of a failed read stays out: it may name that one
 * call (a trace id), and two plans of the same state must have the same digest.
 */
export function digestOf(body: Omit<Plan, 'digest' | 'meta'>): string {
  const notCompared = body.notCompared.map(({ diagnostic: { detail: _detail, ...diagnostic }, ...entry }) => ({
    ...entry,
    diagnostic,
  }));
  return sha256(canonicalJson({ ...body, notCompared } as unknown as Json));
}

/**
 * The plan as a file: canonical JSON, with a checksum over all of it (`meta` included), so that no byte of a
 * reviewed plan can change unnoticed.
 */
export function serializePlan(plan: Plan): string {
  const checksum = sha256(canonicalJson(plan as unknown as Json));
  return `${canonicalJson({ ...(plan as unknown as JsonObject), checksum })}\n`;
}

type Refusal = { readonly reason: 'not-a-plan' | 'altered' | 'version'; readonly diagnostic: Diagnostic };

/** Reads such a file. `reason` says whether it is no plan at all, or one that was altered. */
export function parsePlan(text: string): { readonly plan: Plan } | Refusal {
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch {
    return refusal('not-a-plan', 'The file is not a plan: it is not JSON.');
  }
  const { checksum, ...plan } = (document ?? {}) as JsonObject;
  if (typeof checksum !== 'string' || !Array.isArray(plan['steps']))
    return refusal('not-a-plan', 'The file is JSON, but not a plan.');
  if (plan['formatVersion'] !== 1) {
    return refusal(
      'version',
      `The plan has format version ${String(plan['formatVersion'])}; this program reads version 1.`,
    );
  }
  if (!Array.isArray(plan['notCompared']))
    return refusal('altered', 'The plan file was changed after it was written: a part of it is missing.');
  const { digest, meta: _meta, ...body } = plan as unknown as Plan;
  const isIntact =
    sha256(canonicalJson(plan)) === checksum && digestOf(body) === digest && text.trimEnd() === canonicalJson(document);
  if (!isIntact)
    return refusal('altered', 'The plan file was changed after it was written: its checksum does not match.');
  return { plan: plan as unknown as Plan };
}

function refusal(reason: Refusal['reason'], summary: string): Refusal {
  return {
    reason,
    diagnostic: {
      severity: 'error',
      code: `plan-${reason}`,
      summary,
      hint: 'Make a new one with: sync plan --out plan.json',
    },
  };
}
