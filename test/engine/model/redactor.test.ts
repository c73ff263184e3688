import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../src/engine/model/redactor.js';
import { secret } from '../../../src/engine/model/value.js';

/** Letters, signs that formats escape, and some that take several bytes. */
const signs = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/="<>&\'\\%$ äß€'];

function canary(seed: number, length: number): string {
  let state = seed * 2_654_435_761;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return signs[state % signs.length];
  })
    .join('')
    .replace(/^ | $/g, 'x');
}

const canaries = Array.from({ length: 20 }, (_, n) => canary(n + 1, 8 + Math.round((n * 192) / 19)));

const html = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] ?? '',
  );

/** How a server may repeat what it was sent. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ detail: text }),
  (text) => JSON.stringify(JSON.stringify(text)),
  html,
  (text) => encodeURIComponent(text),
  (text) => new URLSearchParams({ q: text }).toString().replaceAll('+', '%20'),
  ...['', 'u', 'us', 'user:', 'name=x;'].map(
    (before) => (text: string) => Buffer.from(before + text).toString('base64'),
  ),
  (text) => Buffer.from(`token ${text} end`).toString('base64url'),
];

const around: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `409 Conflict: the name "${text}" is taken`,
  (text) => `${text}${text}`,
  (text) => `line one\n${text}\nline three`,
];

describe('the redactor', () => {
  const redactor = new Redactor();
  canaries.forEach((each) => redactor.addValue(['plain', secret({ key: each }, '!env X')]));

  it.each(canaries.map((each, n) => [n, each] as const))('finds canary %i in every spelling', (_, each) => {
    for (const spell of spellings) {
      for (const put of around) {
        const said = put(spell(each));
        const told = redactor.text(said);
        expect(told).not.toContain(spell(each));
        expect(told).not.toContain(each);
        expect(told).toContain('(secret)');
      }
    }
  });

  it('leaves everything else as it is', () => {
    const text = 'POST /v3/apis: refused (400 name must be unique).';
    expect(redactor.text(text)).toBe(text);
    expect(new Redactor().text(canaries[0] ?? '')).toBe(canaries[0]);
  });

  it('finds a secret that comes in pieces, however it is cut', () => {
    const whole = `before ${canaries[3] ?? ''} after`;
    for (let cut = 1; cut < whole.length; cut += 1) {
      const stream = redactor.chunks();
      const told = stream.push(whole.slice(0, cut)) + stream.push(whole.slice(cut)) + stream.end();
      expect(told).toBe('before (secret) after');
    }
  });

  it('keeps what a diagnostic is about', () => {
    const text = canaries[5] ?? '';
    const found = redactor.diagnostic({ severity: 'error', code: 'c', summary: text, detail: text, address: 'a/b' });
    expect(found).toEqual({ severity: 'error', code: 'c', summary: '(secret)', detail: '(secret)', address: 'a/b' });
  });

  it('is not broken by a secret as large as a file, nor by thousands that begin alike', () => {
    const many = new Redactor();
    const large = canary(99, 2_000_000);
    many.add(large);
    for (let n = 0; n < 5_000; n += 1) many.add(`https://example.com/${n}/key`);
    expect(many.text(`a ${large} b ${JSON.stringify(large)} c`)).toBe('a (secret) b "(secret)" c');
    expect(many.text('see https://example.com/4999/key, not https://example.com/none')).toBe(
      'see (secret), not https://example.com/none',
    );
  });

  it('does not take short words out of texts', () => {
    const short = new Redactor();
    short.add('abc');
    expect(short.text('abc')).toBe('abc');
  });
});
