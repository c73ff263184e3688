import { patternOf } from '@platform-sync/core/model/pattern';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { DiagnosticError, errorCode } from '@platform-sync/core/model/diagnostic';
import { mayBeDeeper } from '@platform-sync/core/model/read-json';
import { isWithin } from '@platform-sync/core/model/within';
import { realPlace, treeOf } from './paths.js';
import { ownMember } from '@platform-sync/core/model/value';

/** What the operator of a run allows the files under review. Lists that are left out allow nothing more, unless said. */
export interface Permissions {
  /** Where it came from, for people; absent: there is none. */
  readonly source?: string;
  /** Provider → hosts that its credentials may go to. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** Hosts of state databases, and absolute folders outside the project for state files. */
  readonly state: readonly string[];
  /** Hosts that a drift check may post to. */
  readonly webhooks: readonly string[];
  /** Names, or patterns with `*`, that `!env` may read; absent: all. */
  readonly env?: readonly string[];
  /** Names, or patterns with `*`, of variables whose values may stand in a lookup's arguments. */
  readonly lookups: readonly string[];
  /** Files and folders, absolute, with rules that every plan is judged by, whatever the project says. */
  readonly rules: readonly string[];
  /** Folders of the project that `!file` may read; absent: all. */
  readonly data?: readonly string[];
  /** Kinds of cloud credentials that reviewed files may name. */
  readonly keys: readonly string[];
  /** May secrets go to this machine's own ports when only reviewed files say so? */
  readonly loopback: boolean;
}

export const noPermissions: Permissions = {
  hosts: {},
  state: [],
  webhooks: [],
  lookups: [],
  rules: [],
  // What these name besides goes to the cloud's own hosts only.
  keys: ['service_account', 'authorized_user', 'impersonated_service_account'],
  loopback: true,
};

/** The hosts that permissions list for a sender. */
export function listedHosts(permissions: Permissions, sender: string): readonly string[] {
  if (sender === 'state') return permissions.state;
  if (sender === 'webhook') return permissions.webhooks;
  return ownMember(permissions.hosts, sender) ?? [];
}

/** `PORTAL_*` and the like; case counts. */
export function matchesName(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => patternOf(pattern).test(name));
}

/** True when a path (forward slashes) lies in one of the folders; `.` is all of them. */
export function isInFolders(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => {
    const name = folder.replace(/^\.\//, '').replace(/\/+$/, '');
    return name === '.' || name === '' || file.startsWith(`${name}/`);
  });
}

const permissionsVariable = 'SYNC_POLICY';

const lists = ['state', 'webhooks', 'env', 'lookups', 'rules', 'data', 'keys'] as const;

/**
 * The permissions that `SYNC_POLICY` names (a YAML or JSON file outside the tree of `root`) or is (JSON text); without the
 * variable, those that allow nothing more. Throws DiagnosticError: permissions that can't be read are never left out.
 */
export function readPermissions(root: string, env: Readonly<Record<string, string | undefined>>): Permissions {
  const given = ownMember(env, permissionsVariable)?.trim();
  if (given === undefined || given === '') return noPermissions;
  if (given.startsWith('{'))
    return withRules(checked(parsed(given, permissionsVariable), permissionsVariable), root, root);
  const file = path.resolve(root, given);
  if (isWithin(treeOf(root), realPlace(file)) || isWithin(path.resolve(root), file))
    throw refuse(
      'policy-in-tree',
      `${permissionsVariable} names ${given}, which lies in the repository of this project.`,
    );
  const source = `the permissions ${given}`;
  return withRules(checked(parsed(textOf(file, source), source), source), root, path.dirname(file));
}

/** Rules stand beside the permissions that name them, and like them where no proposal can edit them. */
function withRules(permissions: Permissions, root: string, folder: string): Permissions {
  const rules = permissions.rules.map((name) => path.resolve(folder, name));
  const inTree = rules.find((file) => isWithin(treeOf(root), realPlace(file)) || isWithin(path.resolve(root), file));
  if (inTree === undefined) return { ...permissions, rules };
  throw refuse(
    'policy-in-tree',
    `The permissions name the rules ${inTree}, which lie in the repository of this project.`,
  );
}

function textOf(file: string, source: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(source, `can't be read (${errorCode(error) ?? 'unknown'})`);
  }
}

function parsed(text: string, source: string): unknown {
  if (mayBeDeeper(text)) throw unreadable(source, 'is nested too deeply');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  const [wrong] = [...document.errors, ...document.warnings];
  // The parser's words quote the text.
  const isNone = 'is not one document of YAML or JSON';
  if (wrong !== undefined) throw unreadable(source, `${isNone} (line ${lineCounter.linePos(wrong.pos[0]).line})`);
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw unreadable(source, isNone);
  }
}

function checked(document: unknown, source: string): Permissions {
  if (!isMap(document)) throw unreadable(source, 'holds no map');
  const unknown = Object.keys(document).find((key) => !known.includes(key));
  if (unknown !== undefined) throw unreadable(source, `has no key "${unknown}"; its keys are ${known.join(', ')}`);
  const { hosts = {}, loopback = noPermissions.loopback } = document;
  if (!isMap(hosts)) throw unreadable(source, 'takes a map under "hosts": {platform: [gateway.example.com]}');
  if (typeof loopback !== 'boolean') throw unreadable(source, 'takes true or false under "loopback"');
  const given = Object.fromEntries(
    lists.filter((key) => document[key] !== undefined).map((key) => [key, texts(document[key], key, source)]),
  );
  return {
    ...noPermissions,
    ...given,
    source,
    hosts: Object.fromEntries(
      Object.entries(hosts).map(([name, list]) => [name, texts(list, `hosts.${name}`, source)]),
    ),
    loopback,
  };
}

const known: readonly string[] = ['hosts', ...lists, 'loopback'];

function texts(value: unknown, key: string, source: string): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const found = items.filter((item): item is string => typeof item === 'string' && item !== '');
  if (Array.isArray(value) && found.length === items.length) return found;
  throw unreadable(source, `takes a list of texts under "${key}"`);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(source: string, what: string): DiagnosticError {
  return refuse('policy-unreadable', `${source.replace(/^the/, 'The')} ${what}.`);
}

function refuse(code: 'policy-unreadable' | 'policy-in-tree', summary: string): DiagnosticError {
  const hint =
    code === 'policy-in-tree'
      ? 'Keep it where a proposed change of the project cannot edit it, or give its text in the variable.'
      : 'Nothing is done until it is corrected: docs/security.md shows one.';
  return new DiagnosticError([{ severity: 'error', code, summary, hint }]);
}
