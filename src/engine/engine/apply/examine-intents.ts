import { canonicalJson } from '@platform-sync/core/model/canonical';
import type { Address } from '@platform-sync/core/model/address';
import { readImportId } from '@platform-sync/core/model/import-id';
import { identityKey } from '@platform-sync/core/model/identity';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { type Listing, ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import { isAlwaysThere, type ResourceType } from '@platform-sync/core/model/resource-type';
import {
  isSettling,
  type Identity,
  type Intent,
  type RecordedResource,
  type StackState,
} from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Reads } from '../reads/reads.js';
import { isDeniedTwice, leftBy } from '../refresh/evidence.js';
import { mustBePassing } from '../refresh/list-collection.js';
import { type Denials, isYoung, unlessHomeIsGone } from './gone-along.js';
import { byOwner } from './owners-elsewhere.js';
import { newlySaid, saidAnew } from './sent-record.js';
import { isSealed, type Seals } from '@platform-sync/core/value/seal';
import { asMade, openInputs, searchOnce, whichIsOurs, type CreateOutcome } from './lost-create.js';

/** What the platform shows about an open intent. */
export type IntentOutcome =
  | CreateOutcome
  /** A stack manages what it may have made, or did a moment ago. */
  | { readonly kind: 'managed' }
  /** The object of an update or delete. */
  | { readonly kind: 'exists' }
  /** The object of an update that said something of it that no record knows. */
  | { readonly kind: 'updated'; readonly object: RemoteObject }
  | { readonly kind: 'gone' }
  /** It is denied, so soon after it was written that this proves nothing. */
  | { readonly kind: 'unproven' }
  /** Looking failed. */
  | { readonly kind: 'failed'; readonly diagnostics: readonly Diagnostic[] };

export type Imported = Pick<ReadonlyMap<Address, string>, 'get' | 'has'>;

interface ExamineContext {
  readonly typeOf: (token: string) => ResourceType;
  readonly reads: Reads;
  readonly seals: Seals;
  readonly store: Pick<StateStore, 'managedElsewhere' | 'runs'>;
  readonly targets: StackState['targets'];
  /** Objects that are managed, by `identityKey`. */
  readonly managed: ReadonlySet<string>;
  /** What was written before shows in every answer; absent: everything does. ISO 8601 UTC. */
  readonly settledBefore?: string | undefined;
  /** Import ids of what the user says to be at an address. */
  readonly imported?: Imported;
  /** The record of an object, by `identityKey`. */
  readonly recordOf: (key: string) => RecordedResource | undefined;
}

/** Looks at the platform for each intent, by its id. Intents that could be about one object go one after the other. */
export async function examine(
  context: ExamineContext,
  intents: readonly Intent[],
): Promise<ReadonlyMap<string, IntentOutcome>> {
  const findings = new Map<string, IntentOutcome>();
  const groups = new Map<string, Intent[]>();
  for (const intent of intents) {
    const key = keyOf(context, intent);
    groups.set(key, [...(groups.get(key) ?? []), intent]);
  }
  await Promise.all([...groups.values()].map((group) => examineGroup(context, group, findings)));
  return findings;
}

function keyOf({ typeOf }: ExamineContext, intent: Intent): string {
  if (intent.action !== 'create') return intent.id;
  const key = typeOf(intent.type).naturalKey.map((field) => intent.inputs[field] ?? null);
  return canonicalJson([intent.type, intent.scope, key]);
}

async function examineGroup(
  context: ExamineContext,
  group: readonly Intent[],
  findings: Map<string, IntentOutcome>,
): Promise<void> {
  const taken = new Set(context.managed);
  // The more was sent, the fewer objects fit: those choose first, and the last of equal ones.
  const sent = ({ inputs }: Intent): number => Object.keys(inputs).length;
  const ordered = [...group].sort((a, b) => sent(b) - sent(a) || Date.parse(b.createdAt) - Date.parse(a.createdAt));
  for (const [at, intent] of ordered.entries()) {
    const finding = await examineOne(context, intent, taken, ordered.slice(at + 1));
    if (finding.kind === 'ours') taken.add(identityKey(intent.type, finding.object.identity));
    findings.set(intent.id, finding);
  }
}

async function examineOne(
  context: ExamineContext,
  intent: Intent,
  taken: ReadonlySet<string>,
  rivals: readonly Intent[],
): Promise<IntentOutcome> {
  const type = context.typeOf(intent.type);
  try {
    if (intent.action === 'create') return await examineCreate(context, type, intent, taken, rivals);
    const { identity } = intent;
    if (identity === undefined) return { kind: 'exists' };
    if (intent.action === 'update') return await examineUpdate(context, type, { ...intent, identity });
    const kind = await unlessHomeIsGone<'exists' | 'unproven' | 'gone'>(
      denialsOf(context),
      { type, identity, otherwise: 'gone' },
      async () => {
        if (!(await isGone(context, type, identity))) return 'exists';
        return isYoung(context, type, identity) ? 'unproven' : 'gone';
      },
    );
    return { kind };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { kind: 'failed', diagnostics: error.diagnostics };
  }
}

/**
 * Of what was newly said nobody else would know whose it is. What the record knows as ours the next read compares as always: that nobody
 * could look for its new value is no matter.
 */
async function examineUpdate(
  context: ExamineContext,
  type: ResourceType,
  { identity, inputs }: Pick<Intent, 'inputs'> & { readonly identity: Identity },
): Promise<IntentOutcome> {
  const record = context.recordOf(identityKey(type.token, identity));
  if (record === undefined || saidAnew(record, type, inputs).length === 0) return { kind: 'exists' };
  const { reads } = context;
  // One denial is no proof that nothing is left to claim.
  const read = async (): Promise<RemoteObject | undefined> =>
    (await reads.read(type, identity)) ?? (await reads.readAgain(type, identity));
  if (newlySaid(record, type, inputs).length === 0) {
    const object = await read().catch((error: unknown) => void mustBePassing(error));
    return object === undefined ? { kind: 'exists' } : { kind: 'updated', object };
  }
  const found = await unlessHomeIsGone<RemoteObject | 'exists' | 'unproven'>(
    denialsOf(context),
    { type, identity, otherwise: 'exists' },
    async () => (await read()) ?? (isYoung(context, type, identity) ? 'unproven' : 'exists'),
  );
  return typeof found === 'string' ? { kind: found } : { kind: 'updated', object: found };
}

async function examineCreate(
  context: ExamineContext,
  type: ResourceType,
  intent: Intent,
  taken: ReadonlySet<string>,
  rivals: readonly Intent[],
): Promise<IntentOutcome> {
  const { seals, reads } = context;
  const isHidden = type.naturalKey.some((field) => isSealed(intent.inputs[field]));
  const seen: RemoteObject[] = [];
  const shownBy = async (find: 'find' | 'findAgain', look: 'look' | 'lookAgain'): Promise<readonly RemoteObject[]> => {
    const found = await unlessHomeIsGone<readonly RemoteObject[]>(
      denialsOf(context),
      { type, identity: intent, otherwise: [] },
      () =>
        isHidden
          ? findByFingerprint(() => reads[look]({ type, scope: intent.scope, of: 'everything' }), type, intent, seals)
          : reads[find](type, intent.scope, openInputs(intent)),
    );
    const sorted = await byOwner(context, type, found, intent.run);
    seen.push(...sorted.free, ...sorted.theirs);
    return sorted.free;
  };
  const question = { type, intent, taken, rivals, seals };
  const read = (identity: Identity): Promise<RemoteObject | undefined> => reads.read(type, identity);
  const verdict = await searchOnce(question, {
    find: () => shownBy('find', 'look'),
    findAgain: () => shownBy('findAgain', 'lookAgain'),
    // One list that lacks it may be wrong: it would be made twice, or belong to nobody.
    isLackTold: false,
    // The list shows it: what a read denies is compared by the next refresh, and not made once more.
    read,
  });
  // A list that lags shows nothing of what was made.
  const isYet = !isAlwaysThere(type) && isSettling(leftBy(intent), context.settledBefore);
  if (verdict.kind === 'absent' && isYet) return { kind: 'unproven' };
  const byOpen = new Set([...taken].filter((key) => !context.managed.has(key)));
  if (verdict.kind === 'absent' && whichIsOurs({ ...question, taken: byOpen, rivals: [] }, seen).kind !== 'absent')
    return { kind: 'managed' };
  if (verdict.kind !== 'undecided' || isYet) return verdict;
  const ours = named(context, intent, verdict.candidates);
  if (ours.kind !== 'ours') return ours;
  return { kind: 'ours', object: asMade(question, (await read(ours.object.identity)) ?? ours.object) };
}

/** Of several that may be ours the one that the user names is: what was sent to it is ours, too, whatever the file says by now. */
function named(
  { typeOf, imported }: ExamineContext,
  { address, type: token }: Intent,
  candidates: readonly RemoteObject[],
): CreateOutcome {
  const said = readImportId(typeOf(token).importId, imported?.get(address) ?? '');
  const key = 'identity' in said ? identityKey(token, said.identity) : undefined;
  const object = candidates.find(({ identity }) => identityKey(token, identity) === key);
  return object === undefined ? { kind: 'undecided', candidates } : { kind: 'ours', object };
}

function denialsOf(context: ExamineContext): Denials {
  return { ...context, isGone: (type, identity) => isGone(context, type, identity) };
}

/** What was read for it, the refresh needn't read again. */
function isGone({ reads }: ExamineContext, type: ResourceType, identity: Identity): Promise<boolean> {
  return isDeniedTwice(
    () => reads.read(type, identity),
    () => reads.readAgain(type, identity),
  );
}

/** A key with a secret in it can't be asked for: only its fingerprint is known. So everything is looked through. */
async function findByFingerprint(
  all: () => Promise<Pick<Listing, 'objects'>>,
  type: ResourceType,
  intent: Intent,
  seals: Seals,
): Promise<readonly RemoteObject[]> {
  const { objects } = await all();
  return objects.filter((object) =>
    type.naturalKey.every((field) => {
      const rule = type.fields[field];
      const wanted = intent.inputs[field];
      const values: JsonObject = { ...object.identity.scope, ...object.values };
      return rule === undefined || wanted === undefined || seals.same(rule, wanted, values[field]);
    }),
  );
}
