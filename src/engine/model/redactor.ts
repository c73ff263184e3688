import type { Diagnostic } from './diagnostic.js';
import { secretTexts } from './secret-texts.js';
import type { Value } from './value.js';

/** What stands in the place of a secret. */
const redacted = '(secret)';

/** A shorter word is no secret in a text (it would garble messages); the field that holds it is never shown. */
export const shortestInText = 8;
/** No spelling is shorter (in base64 a letter at an end may belong to what stands beside it). */
const headLength = shortestInText - 1;

interface SameHead {
  readonly all: Set<string>;
  /** Made when it is first needed. */
  longestFirst?: readonly string[] | undefined;
}

/**
 * All secret texts that a run has resolved, sent or received, and the one way to take them out of what is told: whoever
 * repeats them, in whatever spelling.
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** Every spelling of every secret by its first letters. No pattern: one of a large secret is too much for the language. */
  readonly #spellings = new Map<string, SameHead>();
  #longest = 0;

  add(text: string): void {
    for (const each of [text, ...lines(text)]) {
      if (each.length < shortestInText || this.#secrets.has(each)) continue;
      this.#secrets.add(each);
      for (const spelling of spellingsOf(each)) this.#note(spelling);
    }
  }

  #note(spelling: string): void {
    const head = spelling.slice(0, headLength);
    const same = this.#spellings.get(head) ?? { all: new Set() };
    same.all.add(spelling);
    same.longestFirst = undefined;
    this.#spellings.set(head, same);
    this.#longest = Math.max(this.#longest, spelling.length);
  }

  /** The longest spelling that stands here, so that no secret leaves the rest of one that it is a part of. */
  #at(given: string, at: number): string | undefined {
    const same = this.#spellings.get(given.slice(at, at + headLength));
    if (same === undefined) return undefined;
    same.longestFirst ??= [...same.all].sort((one, other) => other.length - one.length);
    return same.longestFirst.find((each) => given.startsWith(each, at));
  }

  /** Every text in the secret parts of a value. */
  addValue(value: Value): void {
    for (const text of secretTexts(value)) this.add(text);
  }

  text(given: string): string {
    if (this.#secrets.size === 0) return given;
    let told = '';
    let from = 0;
    for (let at = 0; at + headLength <= given.length;) {
      const found = this.#at(given, at);
      if (found === undefined) {
        at += 1;
        continue;
      }
      told += given.slice(from, at) + redacted;
      at += found.length;
      from = at;
    }
    return from === 0 ? given : told + given.slice(from);
  }

  /** The words of a diagnostic; code, place, address and field are as they were. */
  diagnostic<T extends Diagnostic>(given: T): T {
    if (this.#secrets.size === 0) return given;
    const { summary, detail, hint, related } = given;
    return {
      ...given,
      summary: this.text(summary),
      ...(detail === undefined ? {} : { detail: this.text(detail) }),
      ...(hint === undefined ? {} : { hint: this.text(hint) }),
      ...(related === undefined
        ? {}
        : { related: related.map((one) => ({ ...one, message: this.text(one.message) })) }),
    };
  }

  diagnostics(given: readonly Diagnostic[]): readonly Diagnostic[] {
    return given.map((each) => this.diagnostic(each));
  }

  /** For text that comes in pieces: holds back what may be the beginning of a secret until it is known. */
  chunks(): { readonly push: (piece: string) => string; readonly end: () => string } {
    let rest = '';
    return {
      push: (piece) => {
        const whole = this.text(rest + piece);
        const cut = this.#secrets.size === 0 ? whole.length : Math.max(0, whole.length - this.#longest + 1);
        rest = whole.slice(cut);
        return whole.slice(0, cut);
      },
      end: () => {
        const last = this.text(rest);
        rest = '';
        return last;
      },
    };
  }
}

/** A key of many lines is often quoted by one of them. */
function lines(text: string): readonly string[] {
  return text.includes('\n') ? text.split(/\r?\n/).filter((line) => line.length >= 16) : [];
}

const htmlNames: Readonly<Record<string, readonly [name: string, number: string]>> = {
  '&': ['&amp;', '&#38;'],
  '<': ['&lt;', '&#60;'],
  '>': ['&gt;', '&#62;'],
  '"': ['&quot;', '&#34;'],
  "'": ['&apos;', '&#39;'],
};

function spellingsOf(text: string): readonly string[] {
  const html = (form: 0 | 1): string => text.replace(/[&<>"']/g, (sign) => htmlNames[sign]?.[form] ?? sign);
  const json = JSON.stringify(text).slice(1, -1);
  // A form quotes some signs more than an address does.
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  const percent = encodeURIComponent(Buffer.from(text).toString());
  return [
    text,
    // Messages are put on one line.
    text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim(),
    json,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    html(0),
    html(1),
    html(0).replaceAll('&apos;', '&#39;'),
    html(0).replaceAll('&apos;', '&#x27;'),
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    form,
    form.replaceAll('+', '%20'),
    ...[0, 1, 2].flatMap((offset) => base64At(text, offset)),
  ].filter((spelling) => spelling.length >= headLength);
}

/** The characters of a base64 text that come from this secret alone, when it begins so many bytes into a group of three. */
function base64At(text: string, offset: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const end = bytes.length % 3 === 0 ? whole.length : whole.length - 1;
  const middle = whole.slice(offset === 0 ? 0 : offset + 1, end);
  return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
}
