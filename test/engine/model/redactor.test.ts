import { describe, expect, it } from 'vitest';
import { Redactor } from '@platform-sync/core/model/redactor';
import { secret } from '@platform-sync/core/model/value';

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

  it('keeps what a diagnostic is about', () => {
    const text = canaries[6] ?? '';
    const found = redactor.diagnostic({ severity: 'error', code: 'c', summary: text, detail: text, address: 'a/b' });
    expect(found).toEqual({ severity: 'error', code: 'c', summary: '(secret)', detail: '(secret)', address: 'a/b' });
  });

  it('shows no line of a file that holds one', () => {
    const redactor = new Redactor();
    redactor.add('Pa55word-of-a-page');
    const place = { file: 'a.yaml', line: 1, column: 1 };
    const related = { place: { ...place, text: 'pages: {password: Pa55word-of-a-page}' }, message: 'the first' };
    const diagnostic = { severity: 'error', code: 'taken', summary: 'It is taken.', related: [related] } as const;
    expect(redactor.diagnostic({ ...diagnostic, place: related.place })).toEqual({
      ...{ ...diagnostic, place },
      related: [{ place, message: 'the first' }],
    });
    expect(redactor.diagnostic({ ...diagnostic, place: { ...place, text: 'title: a' } }).place?.text).toBe('title: a');
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
    for (const each of ['abc', 'true', 'prod', '8080', 'pass   ']) short.add(each);
    expect(short.text('abc of prod is true, 8080, pass   ')).toBe('abc of prod is true, 8080, pass   ');
  });

  it('takes a secret of eight to eleven characters out whole, and no part of it', () => {
    const one = new Redactor();
    one.add('changeit-now');
    one.add('production');
    one.add('a b  c d');
    expect(one.text('the product is in Production; a b  c d, changeit, change')).toBe(
      'the product is in (secret); (secret), changeit, change',
    );
    expect(one.text(Buffer.from('production').toString('base64'))).toBe('(secret)g==');
  });

  it('leaves the address of a server where only what is asked of it is secret', () => {
    const hook = new Redactor();
    hook.add('https://hooks.example.com/services/T0/B0/abcdef');
    expect(hook.text('https://hooks.example.com/other and hooks.example.com: /services/T0/B0/a')).toBe(
      'https://hooks.example.com/other and hooks.example.com: (secret)',
    );
    expect(hook.text('see https://hooks.example.com/services')).toBe('see (secret)');
    hook.add('https://user:pass@hooks.example.com/');
    expect(hook.text('see https://user:p')).toBe('see (secret)');
  });

  it('answers no guess at how a secret goes on, where texts of a proposal are told', () => {
    const whole = new Redactor({ isWholeOnly: true });
    const token = 'eyJhbGciOiJIUzI1NiJ9.known-to-all.rest-of-it';
    whole.add(token);
    for (let length = 1; length < token.length; length += 1)
      expect(whole.text(`<${token.slice(0, length)}> <${token.slice(-length)}>`)).toBe(
        `<${token.slice(0, length)}> <${token.slice(-length)}>`,
      );
    expect(whole.text(`a${JSON.stringify(token.toUpperCase())}b`)).toBe('a"(secret)"b');
  });

  it('hides what touches as one, and keeps what stands between', () => {
    const one = new Redactor();
    one.add('0123456789abcdef');
    expect(one.text('<0123456789abcdef0123456789abcdef> <89abcdef0123> 0123456789abcde')).toBe(
      '<(secret)> <89abcdef0123> (secret)',
    );
  });
});
