import type { DriftResult } from '@platform-sync/core/model/drift';
import type { Action, Cause, Plan, PlanStep } from '@platform-sync/core/model/plan';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { type Block, neededBy } from './catalogue.js';
import { isExpression } from './expressions.js';
import { defaults, type Collection } from './service.js';
import { hiddenMember, withoutSecrets } from './secrets.js';
import { frameIn, hasMoved, inOrder, isFuller, isRecord } from './shapes.js';

/** One address of a plan: what the files say, what is recorded, and what there is. Nothing about it is in motion. */
export interface Place {
  readonly address: string;
  readonly block: Block | undefined;
  /** Where the file says that it lives, or leads to: the id behind a reference. */
  readonly siteId: string | undefined;
  readonly record:
    | {
        readonly inputs: JsonObject;
        readonly outputs: JsonObject;
        readonly protect?: boolean;
        readonly retainOnDelete?: boolean;
      }
    | undefined;
  readonly collection: Collection;
  /** The recorded object as it is; undefined: there is none. */
  readonly truth: JsonObject | undefined;
  /** What it lives in, or leads to, is made, or made anew. */
  readonly homeDoes?: 'create' | 'replace';
  /** The files say that it leaves the state, and stays. */
  readonly isLetGo?: true;
  /** A new object is asked for. */
  readonly isRequested?: true;
  /** It was written so short before that answers may be older: what the file drops, and they lack, counts as there. */
  readonly isYoung: boolean;
}

interface ExpectedField {
  readonly field: string;
  readonly old: Json;
  readonly new: Json;
  readonly cause: Cause | undefined;
}

interface Expected {
  readonly action: Extract<Action, 'create' | 'update' | 'replace' | 'delete' | 'forget'>;
  /** Of an update, and of a replacement the least. */
  readonly fields: readonly ExpectedField[];
}

/** What no answer shows can't be compared. */
const hidden = 'password';
/** Of these a record does not tell what it was; of a map keys are anybody's. */
const uncompared: ReadonlySet<string> = new Set([hidden, 'tags', 'env', 'door']);

function hasHidden(said: Json | undefined): boolean {
  return isObject(said) && hiddenMember in said;
}

/** What only a new object can have. */
const replacing: Readonly<Record<Collection, readonly string[]>> = {
  ...{ sites: [], pages: ['siteId', 'layout'], routes: [], members: ['siteId', 'mail', 'rank'], boards: ['siteId'] },
  ...{ notes: ['siteId'], policy: ['siteId'] },
};

/** What lives in its site. */
const nested: ReadonlySet<Collection> = new Set(['pages', 'members', 'boards', 'notes', 'policy']);

/** What is wrong about what a plan does there, in a few words; undefined: it is as it has to be. */
export function wrongAt(place: Place, step: PlanStep | undefined): string | undefined {
  const { block, isYoung } = place;
  const expected = expectedOf(place);
  const does = step?.action ?? 'nothing';
  const isSaid = (field: string): boolean => field === 'siteId' || block?.properties[field] !== undefined;
  // Of a record with something hidden in it only a difference beside that is known, and of a secret map no record tells the keys.
  const isHidden = (field: string): boolean =>
    field === hidden ||
    field === 'env' ||
    [block?.properties[field], place.record?.inputs[field]].some((said) => hasHidden(said));
  // What the stack wrote a moment ago, and its file drops, an older answer may lack.
  const isDropped = (field: string): boolean =>
    !isSaid(field) || drops(place.record?.inputs[field], block?.properties[field]);
  const compared = step?.fields.filter(({ field }) => !isHidden(field) && (!isYoung || !isDropped(field))) ?? [];
  const changed = optionsIn(place);
  const toldOptions = step?.options?.map(({ option, old }) => `${option} ${String(old)}`).sort() ?? [];
  const isEnded = does === 'delete' || does === 'forget' || does === 'create';
  if (!isEnded && toldOptions.join() !== changed.join())
    return `${does}, and of its options ${toldOptions.join() || 'none'}, and not ${changed.join() || 'none'}`;
  if (expected === undefined) {
    if (step === undefined || does === 'options' || does === 'move') return undefined;
    const isLeftToSay = (does === 'update' || does === 'replace') && step.fields.length > 0;
    return isLeftToSay && compared.length === 0 ? undefined : `${does} ${namesIn(compared)} where all is as said`;
  }
  // The file may want a new object for what is hidden.
  const isReplacing = (field: string): boolean =>
    (isHidden(field) && block?.options?.replaceOnChanges?.includes(field) === true) ||
    // Where others have something in a record, what leaves of it is one by one.
    (field === 'look' && !isSaid(field) && frameIn(place.record?.inputs[field]) !== undefined);
  const isOtherwiseReplaced = step?.fields.some(({ field }) => isReplacing(field)) === true;
  if (does === 'replace' && expected.action === 'update' && isOtherwiseReplaced) return undefined;
  if (does !== expected.action) return `${does}, and not ${expected.action} ${namesIn(expected.fields)}`;
  for (const { field, old, new: wanted, cause } of expected.fields) {
    const line = step?.fields.find((each) => each.field === field);
    if (line === undefined) return `${does} without ${field}`;
    if (isObject(wanted) || isRecord(field)) continue;
    if (!isSame(shown(line.old), withoutSecrets(old))) return `${field} was ${JSON.stringify(old)}`;
    // The id behind a reference is not known where its object is made anew.
    const isTold = isSaid(field) && !JSON.stringify(line.new ?? null).includes('"$');
    if (isTold && !isSame(line.new ?? null, wanted)) return `${field} is to be ${JSON.stringify(wanted)}`;
    if (cause !== undefined && does === 'update' && line.cause !== cause)
      return `${field} differs for ${cause}, and not for ${line.cause}`;
  }
  const more = compared.filter(({ field }) => !expected.fields.some((each) => each.field === field));
  return does !== 'update' || more.length === 0 ? undefined : `${namesIn(more)} as well, which is as said`;
}

/** What decides over its end, and the file says otherwise than the record. */
function optionsIn({ block, record, truth }: Place): readonly string[] {
  if (block === undefined || record === undefined || truth === undefined) return [];
  return (['protect', 'retainOnDelete'] as const).flatMap((option) => {
    const was = record[option] === true;
    return was === (block.options?.[option] === true) ? [] : [`${option} ${String(was)}`];
  });
}

/** What files, record and object come to, worked out without the planner: one field at a time, and no answer is doubted. */
export function expectedOf({
  block,
  siteId,
  record,
  collection,
  truth,
  homeDoes,
  isLetGo,
  isRequested,
}: Place): Expected | undefined {
  if (block === undefined) {
    if (record === undefined) return undefined;
    const stays = truth === undefined || record.retainOnDelete === true || isLetGo === true;
    return { action: stays ? 'forget' : 'delete', fields: [] };
  }
  if (record === undefined || truth === undefined) return { action: 'create', fields: [] };
  const isHomeNew = homeDoes !== undefined && nested.has(collection);
  if (isHomeNew || isRequested === true) return { action: 'replace', fields: [] };
  const { ignoreChanges = [], replaceOnChanges = [] } = block.options ?? {};
  // What the file says no more goes back to what nobody has said.
  const dropped = Object.keys(record.inputs).flatMap((field) => {
    const value = defaults[collection][field];
    return value === undefined ? [] : [[field, value] as const];
  });
  const said = { ...Object.fromEntries(dropped), ...block.properties, ...(siteId === undefined ? {} : { siteId }) };
  const fields = Object.entries(said).flatMap(([field, wanted]): readonly ExpectedField[] => {
    if (field === hidden || ignoreChanges.includes(field)) return [];
    const is = truth[field] ?? null;
    const recorded = record.inputs[field];
    // What others have in a record stays when its file falls silent.
    const own = wanted === null && isObject(recorded) && isObject(is) ? {} : wanted;
    // Whose a key of a secret map is, no record tells: where it was just as the file said, all of it is the file's.
    const isWhole = field === 'env' && recorded !== undefined && isSame(recorded, record.outputs[field] ?? null);
    if (isWhole ? isSame(wanted, is) : isKept(own, is, recorded)) return [];
    return [{ field, old: is, new: wanted, cause: causeOf(wanted, is, recorded, record.outputs[field]) }];
  });
  if (fields.length === 0) return undefined;
  const isReplaced = fields.some(
    ({ field, old, new: wanted }) =>
      replacing[collection].includes(field) ||
      replaceOnChanges.includes(field) ||
      (field === 'look' && isFramedAnew(wanted, old, record.inputs[field])),
  );
  return { action: isReplaced ? 'replace' : 'update', fields };
}

/** What only a create takes of a record is said otherwise, or no more; null: nothing of it is said. */
function isFramedAnew(wanted: Json, is: Json, recorded: Json | undefined): boolean {
  const [was, said, before] = [frameIn(is), frameIn(wanted), frameIn(recorded)];
  if (wanted === null) return false;
  return said === undefined ? before !== undefined && was !== undefined : said !== was;
}

/** Of a map each key that is said, and none that only was. */
function isKept(wanted: Json, is: Json, recorded: Json | undefined): boolean {
  if (isList(wanted) && isList(is) && wanted.some((item) => isObject(item))) {
    const before = isList(recorded) ? recorded : [];
    return wanted.length === is.length && wanted.every((item, at) => isKept(item, is[at] ?? null, before[at]));
  }
  if (!isObject(wanted)) return isSame(wanted, is);
  const [there, before] = [isObject(is) ? is : {}, isObject(recorded) ? recorded : {}];
  return (
    Object.entries(wanted).every(
      ([key, value]) => key === hiddenMember || isKept(value, there[key] ?? null, before[key]),
    ) && Object.keys(before).every((key) => key === hiddenMember || key in wanted || !(key in there))
  );
}

/** Undefined: of a map keys may differ for one reason and for the other, and what was not recorded is nobody's. */
function causeOf(wanted: Json, is: Json, recorded: Json | undefined, shown: Json | undefined): Cause | undefined {
  if (isObject(wanted) || isList(wanted) || recorded === undefined || shown === undefined || isObject(recorded))
    return undefined;
  const hasMoved = !isSame(is, shown);
  return isSame(wanted, recorded) ? 'drift' : hasMoved ? 'both' : 'config';
}

/**
 * What somebody else has changed, as far as one look tells: field by field, without maps and what is left alone. What no answer has ever
 * shown, and no file said, is nobody's change.
 */
function movedIn({ block, record, collection, truth }: Place): ReadonlyMap<string, 'declared' | 'undeclared'> {
  const moved = new Map<string, 'declared' | 'undeclared'>();
  if (record === undefined || truth === undefined) return moved;
  // It is as it was: whatever stands there otherwise, a wrong answer has left in the record.
  if (truth['revision'] !== undefined && record.outputs['revision'] === truth['revision']) return moved;
  for (const field of Object.keys(defaults[collection])) {
    const input = record.inputs[field];
    const before = field in record.outputs ? record.outputs[field] : input;
    if (isRecord(field) && isCompared(block, field)) {
      const [now, said] = [truth[field] ?? null, block?.properties[field]];
      const isSaid = input !== undefined || said !== undefined;
      if (before === undefined || isSame(before, now)) continue;
      if (isSaid && hasMoved(before, now, [input, said])) moved.set(field, 'declared');
      else if (field in record.outputs && (before === null || !isFuller(before, now))) moved.set(field, 'undeclared');
      continue;
    }
    if (before !== undefined && isCompared(block, field) && !isSame(before, truth[field] ?? null))
      moved.set(field, input === undefined && block?.properties[field] === undefined ? 'undeclared' : 'declared');
  }
  return moved;
}

function isCompared(block: Block | undefined, field: string): boolean {
  return !uncompared.has(field) && block?.options?.ignoreChanges?.includes(field) !== true;
}

/** What a plan tells of fields that files leave to the platform. */
export function untoldAt(place: Place, step: PlanStep | undefined, { undeclaredChanges }: Plan): string | undefined {
  const { address, block } = place;
  const isKept = step === undefined || step.action === 'update' || step.action === 'options';
  if (block === undefined || !isKept || place.isYoung) return undefined;
  const told = undeclaredChanges.filter((each) => each.address === address).map(({ field }) => field);
  const moved = [...movedIn(place)].flatMap(([field, of]) => (of === 'undeclared' ? [field] : []));
  const left = (fields: readonly string[]): string =>
    fields
      .filter((field) => isCompared(block, field) && (isRecord(field) || block.properties[field] === undefined))
      .sort()
      .join();
  return left(told) === left(moved) ? undefined : `it tells of ${left(told)}, and ${left(moved)} has moved`;
}

/** What is wrong about what a check finds there. */
export function wrongFound(place: Place, { findings, ignored, converged }: DriftResult): string | undefined {
  const { address, block, record, truth } = place;
  if (record === undefined || place.isYoung) return undefined;
  if (block === undefined)
    return truth === undefined && findings.some((found) => found.address === address && found.class === 'deleted')
      ? 'it has left the files and is gone, and is called deleted'
      : undefined;
  // What a rule leaves out was found, and is told there (`drift-rules.ts`).
  const left = ignored.filter((found) => found.address === address);
  const here = [...left, ...findings.filter((found) => found.address === address && found.class !== 'expired-rule')];
  const isGone = here.some((found) => found.class === 'deleted');
  if (isGone !== (truth === undefined))
    return isGone ? 'it is called deleted, and lives' : 'it has ended, and is not called deleted';
  const moved = movedIn(place);
  const expected = new Map(expectedOf(place)?.fields.map((each) => [each.field, each]));
  for (const field of Object.keys(defaults[place.collection])) {
    if (!isCompared(block, field) || truth === undefined) continue;
    const found = here.find((each) => each.field === field);
    const hasMet = converged.some((each) => each.address === address && each.field === field);
    const of = moved.get(field);
    if (found !== undefined && of === undefined) return `${field} is as recorded, and is called ${found.class}`;
    if (of !== undefined && found === undefined && !hasMet)
      return `${field} is not as recorded, and nothing is told of it`;
    const differs = expected.has(field);
    if (hasMet && differs && !isRecord(field)) return `${field} is told as settled, and the file says something else`;
    if (found === undefined) continue;
    if (found.class === 'modified' && block.properties[field] !== undefined && !differs && !isRecord(field))
      return `${field} is told as changed, and is as the file says`;
    if (found.class !== (of === 'declared' ? 'modified' : 'undeclared-changed'))
      return `${field} is called ${found.class}`;
    if (!('severity' in found)) continue;
    if (!isSame(found.old ?? null, record.outputs[field] ?? record.inputs[field] ?? null))
      return `${field} was recorded otherwise`;
    if (!isSame(found.new ?? null, truth[field] ?? null)) return `${field} is ${JSON.stringify(truth[field])}`;
  }
  return undefined;
}

/** What others alone have changed there, and who puts back all leaves as it is. */
export function unrevertedAt(place: Place, step: PlanStep | undefined): string | undefined {
  const { record } = place;
  const expected = expectedOf(place);
  if (place.isYoung || record === undefined || expected === undefined) return undefined;
  if (expected.action === 'create') return step === undefined ? 'it is gone, and stays so' : undefined;
  const { fields } = expected;
  const isMeant = expected.action === 'update' && fields.every(({ cause }) => cause === 'drift');
  const left = isMeant ? fields.filter(({ field }) => !step?.fields.some((each) => each.field === field)) : [];
  return left.length === 0 ? undefined : `${namesIn(left)} stays changed`;
}

/** What is wrong about what a check tells of what the files ask for, and no apply has done yet. */
export function wrongUnapplied(place: Place, { unapplied, unrecorded }: DriftResult): string | undefined {
  const { address, block, record, collection } = place;
  const told = unapplied.find((each) => each.address === address);
  if (unrecorded !== undefined || place.isYoung || (told?.action === 'replace' && nested.has(collection)))
    return undefined;
  const expected = expectedOf(place);
  if (expected?.action === 'create' && record !== undefined)
    return told === undefined ? undefined : `it is gone, and that it is to ${told.action} is told as the files' doing`;
  if (expected !== undefined && expected.action !== 'update' && expected.action !== 'replace')
    return told?.action === expected.action || (expected.action === 'forget' && place.truth === undefined)
      ? undefined
      : `that it is to ${expected.action} is not told as left to do`;
  for (const { field, cause } of expected?.fields ?? []) {
    const isTold = told?.fields.includes(field) === true;
    if (cause === 'drift' && isTold) return `${field} is told as left to do, and others have changed it`;
    if (cause !== undefined && cause !== 'drift' && !isTold) return `${field} is left to do, and is not told as that`;
  }
  const isHidden = (field: string): boolean =>
    uncompared.has(field) || hasHidden(block?.properties[field]) || hasHidden(record?.inputs[field]);
  const isRest =
    told === undefined || told.action === 'move' || told.action === 'options' || told.fields.some(isHidden);
  return expected !== undefined || isRest
    ? undefined
    : `it is told as to ${told.action} ${told.fields.join()}, and is as its file says`;
}

/** What is wrong about a record after its object was written: it says what the file says, and what there is, where that shows. */
export function wronglyRecorded(
  block: Block,
  record: NonNullable<Place['record']>,
  truth: JsonObject | undefined,
): string | undefined {
  const { ignoreChanges = [], protect, retainOnDelete } = block.options ?? {};
  if ((record.protect === true) !== (protect === true)) return 'protect is not as the file says';
  if ((record.retainOnDelete === true) !== (retainOnDelete === true)) return 'retainOnDelete is not as the file says';
  const isSaid = (field: string): boolean =>
    field !== hidden && field !== 'siteId' && !ignoreChanges.includes(field) && !isExpression(block.properties[field]);
  for (const [field, value] of Object.entries(block.properties).filter(([each]) => isSaid(each)))
    if (field !== 'env' && !isSame(shown(record.inputs[field]), shown(value)))
      return `${field} is not recorded as the file says it`;
  for (const field of Object.keys(record.inputs).filter(isSaid))
    if (block.properties[field] === undefined) return `${field} is recorded, which no file says`;
  for (const field of Object.keys(block.properties).filter(isSaid))
    if (truth !== undefined && field !== 'env' && !isSame(shown(record.outputs[field]), shown(truth[field])))
      return `${field} is recorded otherwise than it is`;
  return undefined;
}

/** A key that was recorded is said no more. */
function drops(was: Json = null, said: Json = null): boolean {
  if (!isObject(was) || !isObject(said)) return false;
  return Object.entries(was).some(([key, each]) => !(key in said) || drops(each, said[key]));
}

const shown = (value: Json | undefined): Json => withoutSecrets(value ?? null);

/** What reasons say of a field; of a home that is made anew, of the field that says which one it is. */
function fieldsIn({ reasons }: PlanStep): readonly string[] {
  return reasons.flatMap((reason) =>
    'field' in reason ? [reason.field] : reason.kind === 'parent-replaced' ? ['siteId'] : [],
  );
}

/** Of these there is one list. */
const atTheTop = /:(?:Site|Route)$/;

function isNewIn({ action, type, reasons }: PlanStep, of: string): boolean {
  return action === 'create' && type === of && reasons.some(({ kind }) => kind === 'not-in-state');
}

/** What is wrong about what one part of a plan says beside another one, whoever made it, and of what. */
export function wrongInItself({ steps, guards, notCompared }: Plan): string | undefined {
  const places = new Map(steps.map(({ address }, at) => [address, at]));
  for (const { address, type, diagnostic } of steps.length === 0 ? [] : notCompared) {
    const { summary } = diagnostic;
    // Who denies a home and shows what lives in it may be wrong about others, too.
    const [, denied] = /says that (\S+) does not exist, and/.exec(summary) ?? [];
    if (denied !== undefined && !guards.some(({ name }) => name === `contradiction:${denied}`))
      return `${denied} is denied, and what lives in it shown, and that holds nothing back`;
    // A list that could not be read, lacks one that is there, or what was written a moment ago, may lack others, too.
    const isDoubtful =
      address === undefined || summary.startsWith(`${address} is not visible yet: this stack wrote it`);
    // Who waits for another one of its type takes its name from that.
    const isFree = ({ dependsOn }: PlanStep): boolean =>
      dependsOn.every((needed) => steps[places.get(needed) ?? -1]?.type !== type);
    const made =
      isDoubtful && atTheTop.test(type) ? steps.find((step) => isNewIn(step, type) && isFree(step)) : undefined;
    if (made !== undefined) return `${made.address} is made, and the list of ${type} is in doubt`;
  }
  for (const [at, step] of steps.entries()) {
    const { address, action, id, fields, options = [], risks, dependsOn, precondition } = step;
    for (const needed of dependsOn) {
      const place = places.get(needed);
      if (place === undefined) return `${address} waits for ${needed}, which has no line`;
      // What is made anew is two things, and others come between these.
      if (place > at && steps[place]?.action !== 'replace')
        return `${address} stands before ${needed}, and waits for it`;
    }
    const isOver = (option: string): boolean => options.some((each) => each.option === option && each.old);
    if (isOver('protect') !== risks.some(({ kind }) => kind === 'unprotects'))
      return `${address} ${isOver('protect') ? 'is protected no more, and that is no risk' : 'is told to lose a protection'}`;
    if (isOver('retainOnDelete') !== risks.some(({ kind }) => kind === 'stops-retaining'))
      return `${address} ${isOver('retainOnDelete') ? 'is kept no more, and that is no risk' : 'is told to be kept no more'}`;
    if (action !== 'forget' && precondition !== undefined && precondition.exists !== (id !== undefined))
      return `${address} ${precondition.exists ? 'is there, and has no id' : `is ${String(id)}, and is not there`}`;
    const [why, differ] = [new Set(fieldsIn(step)), new Set(fields.map(({ field }) => field))];
    if (action === 'update')
      for (const field of [...why, ...differ])
        if (!why.has(field) || !differ.has(field))
          return `${address} is to change for ${[...why].join()}, and differs in ${[...differ].join()}`;
    const fixed = action === 'adopt' && fields.some(({ rule }) => rule === 'replace');
    if (fixed !== guards.some(({ name }) => name === `fixed:${address}`) && action === 'adopt')
      return `${address} is taken over ${fixed ? 'although only a new one could be as its file says, unasked' : 'as it is, and asked for'}`;
  }
  return undefined;
}

/** What is wrong about a plan as a whole, whatever there is. */
export function wrongWithin({ steps, summary }: Plan, blocks: ReadonlyMap<string, Block>): string | undefined {
  const counted = new Map<string, number>();
  for (const { action } of steps) counted.set(action, (counted.get(action) ?? 0) + 1);
  const doing = new Map(steps.map((step) => [step.address, step]));
  for (const action of ['create', 'update', 'replace', 'delete', 'forget', 'adopt', 'move'] as const)
    if (summary[action] !== (counted.get(action) ?? 0))
      return `${String(summary[action])} to ${action}, and ${String(counted.get(action) ?? 0)} lines`;
  for (const { address, action, dependsOn, risks, cause, fields } of steps) {
    const causes = [...new Set(fields.map((field) => field.cause))];
    const all = causes.length > 1 ? 'both' : causes[0];
    if (action === 'update' && all !== undefined && cause !== all)
      return `${address} differs for ${all}, and is told as for ${String(cause)}`;
    const isMade = action === 'create' || action === 'replace';
    if (action === 'delete' && !risks.some(({ kind }) => kind === 'deletes')) return `${address} ends, and is no risk`;
    if (action === 'replace' && !risks.some(({ kind }) => kind === 'replaces'))
      return `${address} ends, and is no risk`;
    for (const needed of isMade ? neededBy(blocks.get(address)) : []) {
      const first = doing.get(needed)?.action;
      if ((first === 'create' || first === 'replace') && !dependsOn.includes(needed))
        return `${address} does not wait for ${needed}`;
    }
  }
  return undefined;
}

const isScalar = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** What the text of a plan lacks: a line for each step that writes, and below it one for each field with one value. */
export function unshownIn({ steps, notices }: Plan, text: string): string | undefined {
  // Where all would be new that exists already, nobody is to read a page of it.
  if (notices.some(({ code, severity }) => code === 'no-record' && severity === 'warning')) return undefined;
  const blocks = text.split(/\n\s*\n/);
  for (const { address, action, type, fields } of steps) {
    if (action === 'adopt' || action === 'forget' || action === 'move' || action === 'options') continue;
    const block = blocks.find((each) => each.includes(` ${action} ${address} (yard:${type.split(':').at(-1) ?? ''})`));
    // What is alike stands once, with the names of the others, and so does what ends along.
    if (block === undefined && new RegExp(`(?:alike|only because of it .*): .*\\b${address}\\b`).test(text)) continue;
    if (block === undefined) return `that it is to ${action} ${address}`;
    for (const { field, old, new: wanted } of action === 'update' || action === 'create' ? fields : []) {
      const values = [old, wanted].filter(isScalar).map((value) => JSON.stringify(value));
      // Of a text of several lines those that differ are shown, and of a document its members.
      if (values.some((value) => value.includes('\\n') || value.startsWith('"{'))) continue;
      const line = new RegExp(`^ +[-+~] ${field} +(.*)$`, 'm').exec(block)?.[1];
      if (values.some((value) => line?.includes(value) !== true)) return `${address}.${field} with ${values.join()}`;
    }
  }
  return undefined;
}

/** What answers show of an object. */
export function shownFields(collection: Collection): readonly string[] {
  return Object.keys(defaults[collection]).filter((field) => field !== hidden);
}

export function isSame(one: Json, other: Json): boolean {
  return canonicalJson(inOrder(one) ?? null) === canonicalJson(inOrder(other) ?? null);
}

function namesIn(fields: readonly { readonly field: string }[]): string {
  return fields.map(({ field }) => field).join();
}
