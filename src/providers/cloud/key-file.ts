import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '@platform-sync/core/model/diagnostic';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asObject, asText, parseJson } from '@platform-sync/rest/http/json';
import { mayCarrySecrets } from '@platform-sync/core/model/loopback';
import { configurationError } from './errors.js';
import { capital } from './setting-values.js';
import { defaultCredentialsFileName, toolFolderName, variables } from './wire.js';

/** The parsed content of a credentials file, checked as far as this program can. */
export interface KeyFile {
  readonly type: KeyType;
  readonly content: JsonObject;
  /** For people: `the setting credentials`, `the file …`. */
  readonly source: string;
}

/** Kinds of credentials files, with the members each can't do without. */
const needed = {
  service_account: ['client_email', 'private_key'],
  authorized_user: ['client_id', 'client_secret', 'refresh_token'],
  external_account: ['audience', 'subject_token_type', 'token_url'],
  external_account_authorized_user: ['client_id', 'client_secret', 'refresh_token', 'token_url'],
  impersonated_service_account: ['service_account_impersonation_url'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type KeyType = keyof typeof needed;

type Env = Readonly<Record<string, string | undefined>>;

/** Credentials given as the path of a file (`~` is the home folder) or as the text itself. */
export async function readKey(pathOrText: string, source: string, env: Env): Promise<KeyFile> {
  if (pathOrText.startsWith('{')) return parseKey(pathOrText, source);
  const file = pathOrText.replace(/^~(?=$|[\\/])/, (tilde) => homeOf(env) ?? tilde);
  const where = `the file that ${source} names (${file})`;
  try {
    return parseKey(await readFile(file, 'utf8'), where);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw unusable(where, `can't be read (${code})`);
  }
}

/** The file with the application's default credentials; undefined when there is none. */
export async function findDefaultKey(env: Env): Promise<KeyFile | undefined> {
  for (const name of variables.defaultCredentialsFile) {
    const named = env[name]?.trim();
    if (named !== undefined && named !== '') return readKey(named, `the environment variable ${name}`, env);
  }
  const folder = toolFolder(env);
  if (folder === undefined) return undefined;
  const file = path.join(folder, defaultCredentialsFileName);
  const where = `the file ${file}`;
  try {
    return parseKey(await readFile(file, 'utf8'), where);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unusable(where, `can't be read (${code})`);
  }
}

/** Where the vendor's command-line tool keeps what its login made. */
function toolFolder(env: Env): string | undefined {
  const named = variables.toolFolder.map((name) => env[name]).find((folder) => folder !== undefined && folder !== '');
  if (named !== undefined) return named;
  const home = homeOf(env);
  const parent = process.platform === 'win32' ? env.APPDATA : home && path.join(home, '.config');
  return parent && path.join(parent, toolFolderName);
}

function homeOf(env: Env): string | undefined {
  return env.HOME ?? env.USERPROFILE;
}

function parseKey(text: string, source: string): KeyFile {
  const content = asObject(parseJson(text.replace(/^\ufeff/, '')));
  if (content === undefined) throw unusable(source, 'holds no JSON object');
  const type = checkKind(content, source);
  const sources = asObject(content.source_credentials);
  if (type === 'impersonated_service_account') {
    if (sources === undefined) throw unusable(source, 'lacks "source_credentials"');
    checkKind(sources, source);
  }
  return { type, content, source };
}

function checkKind(content: JsonObject, source: string): KeyType {
  const type = asText(content.type);
  if (type === undefined || !isKeyType(type)) {
    const kinds = Object.keys(needed).join(', ');
    throw unusable(source, `has no "type" that is known`, `Known are ${kinds}.`);
  }
  const missing = needed[type].filter((name) => asText(content[name]) === undefined);
  if (missing.length > 0) throw unusable(source, `lacks ${missing.map((name) => `"${name}"`).join(' and ')}`);
  for (const [name, value] of Object.entries(content)) checkAddress(name, value, source);
  return type;
}

/** Secrets go to these addresses. */
function checkAddress(name: string, value: Json, source: string): void {
  if (!/^(?:token_ur[il]|service_account_impersonation_url|endpoint)$/.test(name) || value === null) return;
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !mayCarrySecrets(url))
    throw unusable(source, `names a "${name}" that is not an https address`);
}

function isKeyType(type: string): type is KeyType {
  return Object.hasOwn(needed, type);
}

/** The code of a failed system call; undefined for other errors. */
function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? (errorCode(error) ?? 'unknown') : undefined;
}

function unusable(source: string, what: string, hint = 'The content is not shown, for it may be secret.'): Error {
  return configurationError('unusable-cloud-credentials', `${capital(source)} ${what}.`, hint);
}

/** Members whose value must never be shown, wherever they stand. */
const secretMembers = new Set(['private_key', 'refresh_token', 'client_secret']);

/** All secret texts in credentials, nested ones too. */
export function secretsOf(value: Json): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === 'string' && secretMembers.has(name) ? [item] : secretsOf(item),
  );
}
