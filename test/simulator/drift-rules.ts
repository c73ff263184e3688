import type { DriftResult, Finding } from '@platform-sync/core/model/drift';
import { defined, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { lastKey } from '@platform-sync/core/model/address';
import type { AcceptResult } from '@platform-sync/core/model/results';
import type { Block } from './catalogue.js';
import { isIn } from './laws/facts.js';
import { isSame, type Place } from './plan-model.js';
import { isRecord } from './shapes.js';

/** A rule of sync.yaml that leaves drift out of a check. */
export interface Rule {
  readonly address: string;
  readonly field?: string;
  readonly reason: string;
  /** The last day it holds. */
  readonly until?: string;
}

type Told = Pick<Finding, 'address' | 'field'> & { readonly old?: unknown; readonly new?: unknown };

/** It is about that address, and about all of it, or that field, or, of a map, all of its keys that differ. */
function covers(rules: readonly Rule[], { address, field, old, new: now }: Told): boolean {
  const about = rules.filter((rule) => isAbout(rule, address));
  if (about.some((rule) => rule.field === undefined || rule.field === field)) return true;
  const keys = about.flatMap((rule) => (rule.field?.startsWith(`${field ?? ''}.`) === true ? [rule.field] : []));
  if (keys.length === 0 || !(isObject(old) || isObject(now))) return false;
  const [before, after] = [isObject(old) ? old : {}, isObject(now) ? now : {}];
  const moved = Object.keys({ ...before, ...after }).filter((key) => !isSame(before[key] ?? null, after[key] ?? null));
  return moved.length > 0 && moved.every((key) => keys.includes(`${field ?? ''}.${key}`));
}

/** In these worlds a `*` stands for the end of an address. */
function isAbout({ address: of }: Rule, address: string): boolean {
  return of.endsWith('*') ? address.startsWith(of.slice(0, -1)) : of === address;
}

/** It is about that address, and about all of it, that field, or a part of it. */
function mayCover({ field: of, ...rule }: Rule, { address, field }: Told): boolean {
  return isAbout({ ...rule }, address) && (of === undefined || of.split('.')[0] === field);
}

/** What a check leaves out, and says of rules that are over, by the rules of its sync.yaml and its day. */
export function wrongLeftOut(check: DriftResult, rules: readonly Rule[]): string | undefined {
  const { checkedAt, findings, ignored } = check;
  const isOver = ({ until }: Rule): boolean => until !== undefined && until < checkedAt.slice(0, 10);
  const [active, over] = [rules.filter((rule) => !isOver(rule)), rules.filter(isOver)];
  const toldOver = findings.filter((found) => found.class === 'expired-rule');
  for (const rule of over)
    if (
      isIn(check, rule.address) &&
      !toldOver.some(({ address, field }) => address === rule.address && field === rule.field)
    )
      return `it does not say that the rule for ${rule.address} is over`;
  for (const { address, field } of toldOver)
    if (!over.some((rule) => address === rule.address && field === rule.field))
      return `it says that a rule for ${address} is over`;
  for (const { expired, ...found } of findings.filter((each) => each.class !== 'expired-rule')) {
    const what = `${found.address}.${found.field ?? ''}`;
    if (covers(active, found)) return `it tells ${what}, which a rule leaves out`;
    const was = expired !== undefined && over.some((rule) => mayCover(rule, found) && rule.until === expired.until);
    if (expired !== undefined && !was) return `it says that a rule for ${what} is over`;
    if (expired === undefined && covers(over, found)) return `it does not say that the rule for ${what} is over`;
  }
  for (const { reason, until, ...found } of ignored)
    if (!active.some((rule) => mayCover(rule, found) && rule.reason === reason && rule.until === until))
      return `it leaves out ${found.address}.${found.field ?? ''}, and no rule says so`;
  return undefined;
}

/** What is wrong about what a rule for a part of a map leaves out: that is the rest, too. */
export function wrongPart(
  { address, record, truth, isYoung }: Place,
  { checkedAt, ignored }: DriftResult,
  rules: readonly Rule[],
): string | undefined {
  if (record === undefined || truth === undefined || isYoung) return undefined;
  const active = rules.filter(({ until }) => until === undefined || until >= checkedAt.slice(0, 10));
  for (const { field = '' } of ignored.filter((found) => found.address === address)) {
    const [old, now] = [record.outputs[field], truth[field]];
    if (!isObject(old) && !isObject(now)) continue;
    if (!covers(active, { address, field, old, new: now })) return `it leaves out all of ${field}`;
  }
  return undefined;
}

type Blocks = Readonly<Record<string, Block>>;

/** A former key may be said in short. */
function optionsOf({ options = {} }: Block): JsonObject {
  const aliases = options.aliases?.map((alias) => lastKey(alias));
  return { ...options, ...defined({ aliases }) } as JsonObject;
}

/** What is wrong about files that accepted findings were written into: they say that, and nothing else otherwise. */
export function wronglyAccepted(before: Blocks, after: Blocks, { accepted }: AcceptResult): string | undefined {
  for (const address of Object.keys({ ...before, ...after })) {
    const [was, is] = [before[address], after[address]];
    if (was === undefined || is === undefined) return `${address} is ${is === undefined ? 'gone' : 'new'}`;
    if (was.type !== is.type || !isSame(optionsOf(was), optionsOf(is))) return `${address} is managed otherwise`;
    const found = new Map(accepted.flatMap((each) => (each.address === address ? [[each.field, each] as const] : [])));
    for (const field of Object.keys({ ...was.properties, ...is.properties, ...Object.fromEntries(found) })) {
      const [old, now] = [was.properties[field] ?? null, is.properties[field] ?? null];
      const one = found.get(field);
      if (one === undefined) {
        if (!isSame(old, now)) return `${address}.${field} says something else`;
        continue;
      }
      const wanted: Json = (one.new as Json | undefined) ?? null;
      // Of a map the file has its own keys, and a home is called by its address.
      const isOwn = isObject(wanted) || isObject(old) || isRecord(field) || String(now).startsWith('${');
      if (!isOwn && !isSame(now, wanted)) return `${address}.${field} is ${JSON.stringify(now)}`;
    }
  }
  return undefined;
}
