import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface Certificate {
  /** PEM, both. */
  readonly certificate: string;
  readonly key: string;
}

const days = 365;

/**
 * A certificate that vouches for itself, for names and addresses: clients are told to trust it, and nothing else is signed by
 * it. X.509 version 3 with an EC key, written out in DER; what each part is called is in RFC 5280.
 */
export function selfSigned(names: readonly string[], now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid(2, 5, 4, 3), text('platform-sync sandbox'))));
  const algorithm = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const extensions = [
    // basicConstraints, critical: it may vouch (for itself).
    sequence(oid(2, 5, 29, 19), boolean, octets(sequence(boolean))),
    // subjectAltName.
    sequence(oid(2, 5, 29, 17), octets(sequence(...[...new Set(names)].map(alternativeName)))),
  ];
  const body = sequence(
    tagged(0xa0, Buffer.from([2, 1, 2])),
    tagged(2, Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    algorithm,
    name,
    // A clock that is a little behind must not refuse it.
    sequence(time(now - 86_400_000), time(now + days * 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = tagged(3, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]));
  const der = sequence(body, algorithm, signature);
  const lines = der.toString('base64').replaceAll(/(.{64})(?=.)/g, '$1\n');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts));
const octets = (content: Buffer): Buffer => tagged(4, content);
const text = (words: string): Buffer => tagged(0x0c, Buffer.from(words));
const boolean = Buffer.from([1, 1, 0xff]);

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  return tagged(6, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(number: number): number[] {
  const low = number & 0x7f;
  return number < 0x80 ? [low] : [...base128(number >> 7).map((byte) => byte | 0x80), low];
}

/** GeneralizedTime may be used from 2050 on only; UTCTime has two digits of the year. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-T:]/g, '').slice(0, 14);
  return at < Date.UTC(2050, 0)
    ? tagged(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : tagged(0x18, Buffer.from(`${digits}Z`));
}

function alternativeName(name: string): Buffer {
  switch (isIP(name)) {
    case 4:
      return tagged(0x87, Buffer.from(name.split('.').map(Number)));
    case 6:
      return tagged(0x87, address6(name));
    default:
      return tagged(0x82, Buffer.from(name));
  }
}

function address6(name: string): Buffer {
  const [head = '', tail] = (name.split('%')[0] ?? '').split('::');
  const groups = (part: string): string[] => part.split(':').filter((group) => group !== '');
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const all = tail === undefined ? before : [...before, ...zeros, ...after];
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}
