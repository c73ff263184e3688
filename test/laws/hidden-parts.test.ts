import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from '@platform-sync/core/model/redactor';
import { lawRuns } from './runs.js';

const signs = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+/="<>&\'\\%$ äß€'];

const html = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] ?? '',
  );

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
