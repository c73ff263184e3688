import type { Diagnostic, Place } from './diagnostic.js';
import type { DriftSettings } from './drift.js';
import type { Expression } from './expression.js';
import type { JsonObject } from './value.js';
import type { StateBackend } from './state-store.js';

export const projectFileName = 'sync.yaml';
/** Where the tests of a project are, unless somebody names others. */
export const projectTests = 'tests/*.yaml';

/** sync.yaml with the chosen stack's overrides merged and environment variables read. */
export interface ProjectConfig {
  /** Absolute path of the folder that holds sync.yaml. */
  readonly root: string;
  readonly project: string;
  readonly stack: string;
  /** Globs relative to the root. */
  readonly catalogue: readonly string[];
  /** Globs of files that patch the catalogue of this stack. */
  readonly overlays?: readonly string[];
  /** Those of all stacks: such a file is no part of a catalogue. */
  readonly everyOverlay?: readonly string[];
  /** Where sync.yaml says the patterns of this stack, by pattern. */
  readonly patternPlaces?: ReadonlyMap<string, Place>;
  /** Provider name → its settings. */
  readonly providers: Readonly<Record<string, JsonObject>>;
  readonly state: StateBackend;
  /** Setting (`providers.platform.serverUrl`, `state.url`) → the one environment variable its whole value comes from. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Servers, credentials, state and webhook are those of the base commit, not of the files under review. */
  readonly settingsFromBase?: true;
  /** What secrets of the files under review hold: taken out of what is told. */
  readonly hidden?: readonly string[];
  /** Requests in flight at most. */
  readonly concurrency: number;
  readonly requestsPerMinute?: number;
  readonly timing: TimingSettings;
  readonly guards: GuardSettings;
  /** How long runs stay in the history, days; absent: for ever. */
  readonly keepRunsDays?: number;
  /** Present when sync.yaml names policies. */
  readonly policies?: PolicySettings;
  /** Objects that nobody manages are taken over when they have the unique key of a resource. */
  readonly adopt?: 'byKey';
  /** Objects bear a mark that says whose they are, where their type has labels. */
  readonly ownership?: 'label';
  /** Present when sync.yaml says something about labels. */
  readonly labels?: LabelSettings;
  /** Present when sync.yaml has a `drift` block. */
  readonly drift?: DriftSettings;
  /** Present when sync.yaml names rules for specifications. */
  readonly specificationRules?: RuleSetTexts;
  /** Present when sync.yaml declares parameters. */
  readonly parameters?: ParameterSettings;
}

/** A rule set for specifications as the project has it, and those that it extends: path → text. */
export interface RuleSetTexts {
  readonly file: string;
  readonly texts: ReadonlyMap<string, string>;
}

/** What `${param.…}` stands for in the catalogue of the chosen stack. */
export interface ParameterSettings {
  /** Name → plain value, the secret ones marked; undefined where there is none. */
  readonly values: ReadonlyMap<string, Expression | undefined>;
  /** Name → what gives its value: `sync.yaml:9`, `--var`, `SYNC_VAR_REGION`. */
  readonly origins: ReadonlyMap<string, string>;
  /** Why some have none: an error wherever the catalogue is read. */
  readonly problems: readonly Diagnostic[];
}

/** How long things may take, milliseconds. */
export interface TimingSettings {
  /** A lease that shows no sign of life for so long is over. */
  readonly leaseMs: number;
  /** Between two signs of life. */
  readonly beatMs: number;
  /** Until one answer of the platform is there. */
  readonly requestMs: number;
  /** Times a request is sent again after a fault. */
  readonly retries: number;
  /** Until what was written shows in all answers: so long a 404 proves nothing about it. */
  readonly settleMs: number;
}

/** Where the rules stand that plans are judged by. */
export interface PolicySettings {
  /** Globs relative to the root. */
  readonly patterns: readonly string[];
  /** The files as of the base commit, where a proposal is judged: its own count after the merge. */
  readonly ofBase?: readonly RuleText[];
}

/** A file of rules; its name is for people. */
export interface RuleText {
  readonly file: string;
  readonly text: string;
}

export interface GuardSettings {
  readonly maxDeletes: number;
  readonly maxDeletePercent: number;
  /** Absent: no limit. */
  readonly maxUpdatePercent?: number;
  readonly allow: readonly GuardAllowance[];
}

/** A guard lifted by name, with a reason that goes into the plan. */
export interface GuardAllowance {
  readonly guard: string;
  readonly reason: string;
  /** Last day it holds, `YYYY-MM-DD` (UTC). Absent: for good. */
  readonly until?: string;
}

/** Whose the keys of label maps are. */
export interface LabelSettings {
  /** `keys`: those that file or record hold. `all`: every one but those of others. */
  readonly own: 'keys' | 'all';
  /** Beginnings of keys that belong to others; absent: what the provider knows. */
  readonly foreign?: readonly string[];
}

/** What a project that can't be opened is known to be called. */
export interface ProjectNames {
  readonly project?: string;
  readonly stack?: string;
}

/** The stack of a project that declares none. */
export const onlyStack = 'default';

/** The stack that was named, else what SYNC_STACK says; an empty one says nothing. Undefined: the project decides. */
export function namedStack(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return given ?? (env['SYNC_STACK'] || undefined);
}

/** Every guard: what its name looks like, and a word on what it holds back. The one list that names are checked against. */
export const guardNames: readonly GuardName[] = [
  { name: 'maxDeletes', about: 'more deletes than allowed' },
  { name: 'maxDeletePercent', about: 'too large a share deleted' },
  { name: 'maxUpdatePercent', about: 'too large a share updated' },
  { name: 'maxMissing', about: 'too many objects missing from lists' },
  { name: 'emptyCatalogue', about: 'an empty catalogue' },
  { name: 'everythingGone', about: 'nothing managed exists any more' },
  { name: 'target', of: 'PROVIDER', about: 'another target than before' },
  { name: 'delete', of: 'ADDRESS', about: 'deleting a protected object, or one that gives access' },
  {
    name: 'force',
    of: 'ADDRESS',
    about: 'forcing a delete or change that the platform refuses because of contents or use',
  },
  {
    name: 'replace',
    of: 'ADDRESS',
    about: 'replacing an object that is protected, gives access, or was replaced for the same change before',
  },
  { name: 'goes-along', of: 'ADDRESS', about: 'deleting or replacing what holds objects of others, or of nobody' },
  {
    name: 'goes-along',
    about: 'deleting or replacing so many objects that nobody has looked for all of what they hold',
  },
  { name: 'adopt', about: 'taking over objects that nobody manages, by their keys' },
  { name: 'adopt', of: 'ADDRESS', about: 'taking over one of them, with its contents' },
  { name: 'fixed', of: 'ADDRESS', about: 'adopting what only a replacement could make right' },
  { name: 'contradiction', of: 'ADDRESS', about: 'an object that is denied, and what lives in it is shown' },
  {
    name: 'same-name',
    of: 'ADDRESS',
    about:
      'creating an object beside one of the same name, or of the same contents where it has none, that nobody manages',
  },
  { name: 'policy', of: 'RULE', about: 'what a rule of a policy warns of; with :ADDRESS, at one address' },
  { name: 'unkeyed', of: 'ADDRESS', about: 'creating objects, without kept state, that no key finds again' },
];

interface GuardName {
  readonly name: string;
  /** What follows a colon; absent: nothing does. */
  readonly of?: string;
  readonly about: string;
}

/** True for a name that a guard can have: `maxDeletes`, `delete:petstore/guide`. */
export function isGuardName(text: string): boolean {
  const colon = text.indexOf(':');
  const [name, about] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  return guardNames.some((known) => known.name === name && (known.of === undefined ? colon < 0 : about !== ''));
}

/** `maxDeletes, …, delete:ADDRESS`. */
export const knownGuards: string = guardNames
  .map(({ name, of }) => (of === undefined ? name : `${name}:${of}`))
  .join(', ');
