import { boolean, option, string } from './flag.js';
import { eventsFlag, lockTimeout, selectionFlags } from './shared-flags.js';
import type { PlanOptions } from '@platform-sync/engine/api';
import { type GuardAllowance, isGuardName, knownGuards } from '@platform-sync/core/model/project';
import { UsageError } from '../process/usage-error.js';

/** Flags of every command that makes a plan. */
export const planFlags = {
  ...eventsFlag,
  refresh: option({
    options: ['auto', 'full', 'none'] as const,
    description: 'how much to read: what may have changed, everything, or nothing (trust state)',
    default: 'auto' as const,
  })(),
  ...selectionFlags,
  replace: string({
    multiple: true,
    description: 'replace this object although nothing forces it',
    helpValue: 'ADDR',
  }),
  resend: string({
    multiple: true,
    description: 'send its write-only and secret values again',
    helpValue: 'ADDR',
  }),
  allow: string({
    multiple: true,
    description: 'lift this guard by its name; needs --reason',
    helpValue: 'GUARD',
  }),
  reason: string({ description: 'why the guards may be lifted; goes into the plan', helpValue: 'TEXT' }),
};

/** Of commands that make objects, or plan to. */
export const outputFlag = {
  output: string({
    multiple: true,
    description:
      'where a secret shown once goes, by output name: file:/path, fd:3, cmd:COMMAND (also: SYNC_OUTPUT_NAME)',
    helpValue: 'NAME=DESTINATION',
  }),
};

/** Of commands that plan towards the catalogue. */
export const noDeleteFlag = {
  'no-delete': boolean({
    description: 'only create and update; deletes and replacements are skipped and listed',
    exclusive: ['replace'],
  }),
};

/** Flags of every command that carries a plan out. */
export const applyFlags = {
  yes: boolean({ char: 'y', description: 'do not ask' }),
  quiet: boolean({
    char: 'q',
    description: 'leave out the single changes; print dangers by name, guards, counts and problems',
  }),
  'lock-timeout': lockTimeout,
  frozen: string({ description: 'write although the stack is frozen: the id of the freeze', helpValue: 'ID' }),
  'fail-fast': boolean({ description: 'start nothing new after the first failure' }),
  report: string({ description: 'write what was done to this JSON file', helpValue: 'FILE' }),
  'report-dir': string({
    description: 'write what was done into this folder: result.json, .md, .html and more',
    helpValue: 'DIR',
  }),
  expect: string({
    description: 'go ahead only if the plan has this digest ("digest" of its JSON form, or its first 12 digits)',
    helpValue: 'DIGEST',
  }),
  'expect-effect': string({
    description:
      'go ahead only if the plan does what was approved ("effectDigest" of its JSON form, or its first 12 digits), whatever else was merged or applied since; with PLAN a refusal names the steps that differ',
    helpValue: 'DIGEST',
    exclusive: ['expect'],
  }),
};

/** The digests of a line, as people hand them on. */
export function requireDigests(flags: {
  readonly [flag in (typeof digestFlags)[number][0]]: string | undefined;
}): void {
  for (const [flag, member] of digestFlags) {
    const text = flags[flag];
    if (text === undefined || /^[0-9a-f]{12,64}$/.test(text)) continue;
    throw new UsageError(
      `--${flag} takes a digest: 12 to 64 hexadecimal digits`,
      `It is "${member}" in the plan: sync plan --format json`,
    );
  }
}

/** With what a plan's JSON form calls them. */
const digestFlags = [
  ['expect', 'digest'],
  ['expect-effect', 'effectDigest'],
] as const;

interface PlanFlagValues {
  readonly refresh: 'auto' | 'full' | 'none';
  readonly target: string[] | undefined;
  readonly exclude: string[] | undefined;
  readonly replace: string[] | undefined;
  readonly resend: string[] | undefined;
  readonly allow: string[] | undefined;
  readonly reason: string | undefined;
  readonly 'no-delete'?: boolean;
}

export function planOptions(flags: PlanFlagValues): PlanOptions {
  return {
    refresh: flags.refresh,
    targets: flags.target ?? [],
    excludes: flags.exclude ?? [],
    replace: flags.replace ?? [],
    resend: flags.resend ?? [],
    ...(flags['no-delete'] === true ? { noDelete: true } : {}),
    allow: allowances(flags.allow, flags.reason),
  };
}

/** A guard is lifted with a reason or not at all. */
export function allowances(guards: readonly string[] = [], reason: string | undefined): readonly GuardAllowance[] {
  const text = reason?.trim() ?? '';
  if (guards.length > 0 && text === '')
    throw new UsageError('--allow needs --reason', 'say why: --reason "ticket 42, agreed with …"');
  if (guards.length === 0 && reason !== undefined)
    throw new UsageError('--reason goes with --allow', 'Name the guard: --allow GUARD');
  for (const guard of guards)
    if (!isGuardName(guard)) throw new UsageError(`there is no guard "${guard}"`, `guards are ${knownGuards}`);
  return guards.map((guard) => ({ guard, reason: text }));
}
