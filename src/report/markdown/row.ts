import type { Document, Tone } from '../document/document.js';
import { visible } from '../words/escape.js';
import { cut } from './escape.js';

/** What a table of several results tells of one. HTML that means the same in a cell, in a heading and in a summary. */
interface DocumentRow {
  readonly mark: string;
  readonly verdict: string;
  readonly counts: string;
  /** 0 is the gravest. */
  readonly rank: number;
  readonly project?: string;
  readonly stack?: string;
}

const tones: readonly Tone[] = ['blocked', 'incomplete', 'dangerous', 'changes', 'clean'];

export function documentRow({ mark, verdict, ending, tone, subject: { project, stack } }: Document): DocumentRow {
  return {
    mark,
    verdict: plain(verdict, 200),
    counts: ending.replace(/\.$/, '') === verdict ? '' : plain(ending, 200),
    rank: tones.indexOf(tone),
    ...(project === undefined || project === '' ? {} : { project: name(project) }),
    ...(stack === undefined || stack === '' ? {} : { stack: name(stack) }),
  };
}

function name(text: string): string {
  return `<code>${plain(text, 60)}</code>`;
}

/** No sign of it is one of Markdown or HTML: a reference to a character is never markup. */
function plain(text: string, most: number): string {
  return cut(visible(text), most).replace(
    /[^A-Za-z0-9 ,;:.()-]|(?<=\w):(?=\w)|\.(?=\w)|^[-.:]/gu,
    (sign) => `&#${sign.codePointAt(0) ?? 0};`,
  );
}
