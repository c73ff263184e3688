import { defined } from './defined.js';

interface FrontMatter {
  readonly title?: string;
  readonly slug?: string;
  readonly status?: 'published' | 'unpublished';
  readonly parent_document_id?: string;
}

const block = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const entry = /^(title|slug|status|parent_document_id)[ \t]*:[ \t]*(?:"([^"]*)"|'([^']*)'|(.*?))[ \t]*$/;

/** What a document says about itself in its front matter. Fields of the request win over it. */
export function frontMatter(content: string): FrontMatter {
  const found = new Map<string, string>();
  for (const line of block.exec(content)?.[1]?.split(/\r?\n/) ?? []) {
    const match = entry.exec(line);
    const value = match?.[2] ?? match?.[3] ?? match?.[4];
    if (match?.[1] !== undefined && value !== undefined && value !== '') found.set(match[1], value);
  }
  const status = found.get('status');
  const { title, slug, parent_document_id } = Object.fromEntries(found);
  return {
    ...defined({ title, slug }),
    ...(status === 'published' || status === 'unpublished' ? { status } : {}),
    ...defined({ parent_document_id }),
  };
}

/** Title of a document whose request names none: front matter, else the first heading. */
export function defaultTitle(content: string): string {
  const heading = /^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(content.replace(block, ''))?.[1];
  return frontMatter(content).title ?? heading ?? 'Untitled';
}

/** What the front matter of a portal's page or snippet says of itself; it wins over fields of the request. */
export function contentTitle(content: string): { readonly title?: string; readonly description?: string } {
  const lines = block.exec(content)?.[1]?.split(/\r?\n/) ?? [];
  return Object.fromEntries(
    lines.flatMap((line) => {
      const match = /^(title|description)[ \t]*:[ \t]*(?:"([^"]*)"|'([^']*)'|(.*?))[ \t]*$/.exec(line);
      const value = match?.[2] ?? match?.[3] ?? match?.[4];
      return match?.[1] === undefined || value === undefined || value === '' ? [] : [[match[1], value] as const];
    }),
  );
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
// Control characters and replacement marks tell a wrong guess.
const binary = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd]/;

/** Documents of products may be sent in base64; the platform answers with the text. What doesn't decode is the text itself. */
export function decodedText(content: string): string {
  const packed = content.trim();
  if (packed.length === 0 || packed.length % 4 !== 0 || !base64.test(packed)) return content;
  const bytes = Buffer.from(packed, 'base64');
  const text = bytes.toString('utf8');
  return bytes.toString('base64') === packed && !binary.test(text) ? text : content;
}

export function withoutTrailingSpace(content: string): string {
  return content.trimEnd();
}
