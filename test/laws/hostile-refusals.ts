/** An answer that refuses, and quotes. */
export interface Refusal {
  readonly name: string;
  readonly status: number;
  readonly type: string;
  readonly text: (quoted: string) => string;
}

/** How a service may spell what it was sent. */
export const spellings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  json: (text) => JSON.stringify(text).slice(1, -1),
  'json twice': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  'json, slashes too': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'html by name': (text) => html(text, { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }),
  'html by number': (text) => html(text, { '&': '#38', '<': '#60', '>': '#62', '"': '#34', "'": '#39' }),
  'html as templates do it': (text) => html(text, { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#x27' }),
  'percent-encoded': (text) => encodeURIComponent(text),
  'percent-encoded, small letters': (text) =>
    encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  'as a form': (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'base64, at its beginning': (text) => Buffer.from(`${text} and more`).toString('base64'),
  'base64, one byte on': (text) => Buffer.from(`:${text} and more`).toString('base64'),
  'base64, two bytes on': (text) => Buffer.from(`: ${text} and more`).toString('base64'),
  base64url: (text) => Buffer.from(`: ${text}?`).toString('base64url'),
};

function html(text: string, names: Readonly<Record<string, string>>): string {
  return text.replace(/[&<>"']/g, (sign) => `&${names[sign] ?? ''};`);
}

/** What stays the same of a text in base64, wherever it begins. */
export function base64Cores(text: string): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.from(' '.repeat(offset) + text)
      .toString('base64')
      .replace(/=+$/, '');
    const core = whole.slice(offset === 0 ? 0 : offset + 1, -2);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const padding = 'so it goes on and on, '.repeat(40);

/** Bodies by kind; each puts the text where a service may put it. */
const bodies: Readonly<Record<string, { readonly type: string; readonly text: (quoted: string) => string }>> = {
  'a problem’s detail': problem((quoted) => ({ title: 'Refused', detail: `the value ${quoted} is not good` })),
  'a problem’s title': problem((quoted) => ({ title: `no ${quoted}!` })),
  'a problem’s trace id': problem((quoted) => ({ title: 'Refused', instance: `trace:${quoted}` })),
  'the reason of a field': problem((quoted) => ({
    title: 'Invalid',
    invalid_parameters: [
      { field: 'description', rule: 'pattern', reason: `"${quoted}" does not match`, source: 'body' },
    ],
  })),
  'the name of a field': problem((quoted) => ({
    title: 'Invalid',
    invalid_parameters: [{ field: quoted, rule: quoted, reason: 'is unknown', source: 'body' }],
  })),
  'the choices of a field': problem((quoted) => ({
    title: 'Invalid',
    invalid_parameters: [
      { field: 'labels', rule: 'enum', reason: 'is none of them', choices: [quoted, 'b'], minimum: quoted },
    ],
  })),
  'message and error': {
    type: 'application/json',
    text: (quoted) => JSON.stringify({ message: `bad: ${quoted}`, error: { value: quoted } }),
  },
  'a list': { type: 'application/json', text: (quoted) => JSON.stringify([quoted, { deep: [quoted] }]) },
  'a page': { type: 'text/html', text: (quoted) => `<html><title>${quoted}</title><p>No: <b>${quoted}</b></p></html>` },
  'bare words': { type: 'text/plain', text: (quoted) => `refused:\n\t${quoted}\r\n` },
  'words where a long text is cut': {
    type: 'text/plain',
    text: (quoted) => `${padding.slice(0, 290)}${quoted}${padding}`,
  },
  'a long detail': problem((quoted) => ({ title: 'Refused', detail: `${padding.slice(0, 585)}${quoted}${padding}` })),
  'half a document': { type: 'application/json', text: (quoted) => `{"detail": ${JSON.stringify(quoted)}, "mo` },
  'the text again and again': problem((quoted) => ({ title: 'Refused', detail: `${quoted} `.repeat(8) })),
};

function problem(fields: (quoted: string) => object): {
  readonly type: string;
  readonly text: (quoted: string) => string;
} {
  return { type: 'application/problem+json', text: (quoted) => JSON.stringify({ status: 400, ...fields(quoted) }) };
}

const statuses = [400, 403, 404, 409, 410, 418, 422, 500, 502, 503, 200, 302] as const;

/** So many of them, spread over all there are; always the same ones. */
export function hostileRefusals(count: number): readonly Refusal[] {
  const ways = Object.entries(spellings).flatMap(([spelling, spell]) =>
    Object.entries(bodies).map(([place, body]) => ({ name: `${place}, ${spelling}`, type: body.type, spell, body })),
  );
  // A step that shares no factor with their number meets all of them before one comes again.
  return Array.from({ length: count }, (_, at): Refusal => {
    const way = ways[(at * 37) % ways.length];
    if (way === undefined) throw new Error('there are no refusals');
    const { name, type, spell, body } = way;
    const status = statuses[at % statuses.length] ?? 400;
    return { name: `${status}: ${name}`, status, type, text: (quoted) => body.text(spell(quoted)) };
  });
}
