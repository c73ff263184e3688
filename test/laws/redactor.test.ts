import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../src/engine/model/redactor.js';
import { secret } from '../../src/engine/model/value.js';
import { lawRuns } from './runs.js';

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

/** What a platform may make of a text that it was sent. Each may lose its ends. */
const changes: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  reversed: (text) => Array.from(text).reverse().join(''),
  'as hex': (text) => Buffer.from(text).toString('hex'),
  'as hex with colons': (text) =>
    Buffer.from(text)
      .toString('hex')
      .toUpperCase()
      .replace(/..(?=.)/g, '$&:'),
  'as base64': (text) => Buffer.from(text).toString('base64'),
  'as base64, one further': (text) => Buffer.from(`:${text}`).toString('base64'),
  'as base64url, two further': (text) => Buffer.from(`a:${text}:b`).toString('base64url'),
  'as base64 in lines': (text) => Buffer.from(text).toString('base64').replace(/.{10}/g, '$&\r\n'),
  'in percents': (text) => encodeURIComponent(text),
  'all in percents': (text) =>
    Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'in percents of percents': (text) => encodeURIComponent(encodeURIComponent(text)),
  'as of a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'in entities by number': (text) => Array.from(text, (sign) => `&#${String(sign.codePointAt(0))};`).join(''),
  'in entities by hex': (text) => Array.from(text, (sign) => `&#x${(sign.codePointAt(0) ?? 0).toString(16)};`).join(''),
  'in entities by name': (text) => html(text),
  'in entities of entities': (text) => html(html(text)),
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON in JSON': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'in JSON with all escaped': (text) =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  'in escapes of bytes': (text) =>
    Array.from(Buffer.from(text), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  'split by blanks': (text) => text.replace(/.{5}/gu, '$& '),
  'split by lines': (text) => text.replace(/.{3}/gu, '$&\n\t'),
  'split by signs nobody sees': (text) => text.replace(/.{4}/gu, '$&\u200b'),
};

describe('a secret in whatever became of it', () => {
  const sign = fc.constantFrom(...signs.filter((each) => !/[äß€%&\\]/.test(each)));
  const secretText = fc.string({ unit: sign, minLength: 12, maxLength: 60 });
  const told = (secrets: readonly string[], text: string): string => {
    const redactor = new Redactor();
    secrets.forEach((each) => redactor.add(each));
    return redactor.text(text);
  };
  const withoutBlanks = (text: string): string => text.replace(/[\s\u200b]/g, '');

  it.each(Object.keys(changes))('%s: no run of twelve characters is left', (name) => {
    const change = changes[name] ?? ((text: string): string => text);
    fc.assert(
      fc.property(
        fc.array(secretText, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.nat(),
        fc.nat(),
        (secrets, which, from, length) => {
          const whole = secrets[which % secrets.length] ?? '';
          const size = 12 + (length % (whole.length - 11));
          const start = from % (whole.length - size + 1);
          const part = whole.slice(start, start + size).trim();
          if (part.replace(/\s/g, '').length < 12) return;
          const left = told(secrets, `the value «${change(part)}» is taken`);
          const [, inside, after] = /^the value «(.*)»( is taken)$/s.exec(left) ?? [];
          expect(after).toBe(' is taken');
          const runs = Array.from({ length: part.length - 11 }, (_, at) => change(part.slice(at, at + 12)));
          const shortest = Math.min(...runs.map((each) => withoutBlanks(each).length));
          const pieces = inside?.split('(secret)') ?? [];
          expect(pieces.length).toBeGreaterThan(1);
          expect(pieces.filter((each) => withoutBlanks(each).length >= shortest)).toEqual([]);
        },
      ),
      { numRuns: lawRuns(400) },
    );
  });
});
