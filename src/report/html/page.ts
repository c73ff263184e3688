import { createHash } from 'node:crypto';
import type { Tone } from '../document/document.js';
import { joined, markup, own, type Part } from './html.js';
import { iconSprite } from './icons.js';
import { pageScript } from './script.js';
import { pageStyle } from './style.js';

/** The parts that tell one report from another; all but `title` and `skip` are HTML. */
export interface Page {
  readonly title: string;
  readonly tone: Tone;
  /** What the first link leads to. */
  readonly skip: string;
  readonly header: Part;
  readonly main: Part;
  readonly footer: Part;
}

/** A page that needs nothing else: no network, no other file. */
export function pageHtml({ title, tone, skip, header, main, footer }: Page): string {
  return joined([
    markup`<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`,
    markup`<meta http-equiv="Content-Security-Policy" content="${own(policy())}">\n`,
    markup`<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n`,
    markup`<link rel="icon" href="data:,">\n<title>${title}</title>\n`,
    markup`<style>${own(pageStyle)}</style>\n</head>\n<body class="tone-${tone}">\n${iconSprite()}\n`,
    markup`<a class="skip" href="#ui:main">${skip}</a>\n`,
    markup`<header>${header}</header>\n`,
    markup`<main id="ui:main" tabindex="-1">\n${main}\n</main>\n`,
    markup`<footer>${footer}</footer>\n<script>${own(pageScript)}</script>\n</body>\n</html>\n`,
  ]).source;
}

/** Only the page's own style and script run, known by their digests; nothing can be loaded or sent. */
function policy(): string {
  const digest = (source: string): string => `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
  return [
    "default-src 'none'",
    'img-src data:',
    `style-src ${digest(pageStyle)}`,
    `script-src ${digest(pageScript)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
