import type { Diagnostic } from './diagnostic.js';
import { secretTexts } from './secret-texts.js';
import type { Value } from './value.js';

/** What stands in the place of a secret. */
export const redacted = '(secret)';

/** A shorter word is no secret in a text (it would garble messages); the field that holds it is never shown. */
export const shortestInText = 8;

/**
 * All secret texts that a run has resolved, sent or received, and the one way to take them out of what is told: whoever
 * repeats them, in whatever spelling.
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  #pattern: RegExp | undefined;
  #longest = 0;

  add(text: string): void {
    for (const each of [text, ...lines(text)]) {
      if (each.length < shortestInText || this.#secrets.has(each)) continue;
      this.#secrets.add(each);
      this.#pattern = undefined;
    }
  }

  /** Every text in the secret parts of a value. */
  addValue(value: Value): void {
    for (const text of secretTexts(value)) this.add(text);
  }

  text(given: string): string {
    if (this.#secrets.size === 0) return given;
    return given.replace(this.#compiled(), redacted);
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
        const cut = this.#secrets.size === 0 ? whole.length : Math.max(0, whole.length - this.#longestSpelling() + 1);
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

  #longestSpelling(): number {
    this.#compiled();
    return this.#longest;
  }

  #compiled(): RegExp {
    if (this.#pattern !== undefined) return this.#pattern;
    // Longest first, so that no secret leaves the rest of one that it is a part of.
    const spellings = [...new Set([...this.#secrets].flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
    this.#longest = spellings[0]?.length ?? 0;
    this.#pattern = new RegExp(spellings.map((each) => each.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
    return this.#pattern;
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
  ].filter((spelling) => spelling.length >= shortestInText - 1);
}

/** The characters of a base64 text that come from this secret alone, when it begins so many bytes into a group of three. */
function base64At(text: string, offset: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]);
  const whole = bytes.toString('base64').replace(/=+$/, '');
  const end = bytes.length % 3 === 0 ? whole.length : whole.length - 1;
  const middle = whole.slice(offset === 0 ? 0 : offset + 1, end);
  return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
}
