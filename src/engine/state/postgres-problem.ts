import { StateStoreError } from '@platform-sync/core/model/state-store';
import { ownMember } from '@platform-sync/core/model/own-member';

type Problem = readonly [code: StateStoreError['code'], problem: string, hint: string];

const unreachable: Problem = [
  'unreachable',
  'does not answer',
  'Check the address, the network, and that the server runs.',
];
const refused: Problem = [
  'unreachable',
  'refuses the user',
  'Check the user and the password in the address under `state:` in sync.yaml.',
];

/** SQLSTATEs, whole or by their class of two characters, and errors of the network. */
const problems: Readonly<Record<string, Problem>> = {
  '08': unreachable,
  '57P01': unreachable,
  '57P02': unreachable,
  '57P03': unreachable,
  '57P05': unreachable,
  '25P03': unreachable,
  '28': refused,
  '3D': ['unreachable', 'has no such database', 'Create it, or correct its name in the address.'],
  '3F': [
    'unreachable',
    'has no schema for its tables',
    'Name one that there is in the search_path of the user (ALTER ROLE … SET search_path), or in the address: ?options=-c%20search_path=public.',
  ],
  '53': ['unreachable', 'is out of resources or connections', 'Try again later, or give the server more.'],
  '53100': ['full', 'has no space left', 'Make room on the server and run the command again.'],
  '42501': ['read-only', 'does not let this user write', 'Grant the user the rights to create and write tables.'],
  '25006': ['read-only', 'can only be read', 'Use the address of the primary server.'],
  XX001: ['corrupt', 'has damaged data', 'Restore a copy of the database.'],
  XX002: ['corrupt', 'has a damaged index', 'Rebuild the index (`REINDEX`) or restore a copy of the database.'],
  '58': ['unreadable', 'cannot read or write its files', 'See the log of the server.'],
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EPIPE: unreachable,
  ENOENT: unreachable,
  EACCES: unreachable,
};

const badAddress: Problem = [
  'unreachable',
  'cannot be used: its address is not a valid one',
  'Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded.',
];
const badTls: Problem = [
  'unreachable',
  'cannot be reached over TLS',
  'Check `sslmode` and `sslrootcert` in the address against what the server offers.',
];

/** What the driver says without a code. */
const sentences: readonly (readonly [RegExp, Problem])[] = [
  [/invalid url|invalid port|invalid connection/i, badAddress],
  [/ssl|tls|certificate/i, badTls],
  [/sasl|password/i, refused],
  [/connection terminated|timeout|connection ended|not queryable|cannot use a pool/i, unreachable],
];

/**
 * The StateStoreError that an error of the driver means; any other error as it is. The message is our own, and the
 * cause stays behind: the driver's errors may quote the address, and with it the password.
 */
export function postgresProblem(error: unknown, location: string): unknown {
  if (!(error instanceof Error) || error instanceof StateStoreError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // The driver's own complaints are plain errors; the sentences must not be looked for in anything else.
  const found = byCode(code) ?? (error.name === 'Error' ? bySentence(error.message) : undefined);
  if (found === undefined) return error;
  const [kind, problem, hint] = found;
  return new StateStoreError(
    kind,
    `the state database ${location} ${problem}${code === undefined ? '' : ` (${code})`}`,
    hint,
  );
}

function byCode(code: string | undefined): Problem | undefined {
  if (code === undefined) return undefined;
  if (/^(CERT|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code)) return badTls;
  if (code === 'ERR_INVALID_URL') return badAddress;
  return ownMember(problems, code) ?? (/^[0-9A-Z]{5}$/.test(code) ? ownMember(problems, code.slice(0, 2)) : undefined);
}

function bySentence(message: string): Problem | undefined {
  return sentences.find(([pattern]) => pattern.test(message))?.[1];
}

/** Server and database of an address; no user, no password, no parameters. */
export function postgresLocation(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return /^postgres(ql)?:$/.test(protocol) ? `postgres://${host}${pathname}` : 'postgres';
  } catch {
    return 'postgres';
  }
}
