import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One fenced block of a page, with what the page says about running it. */
export interface Block {
  readonly page: string;
  /** Of its first line of content, counted from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /**
   * The comment right above it: `run` (a file of the project counts as run when `sync validate` takes it), `run` with how,
   * or `not run` with why. Undefined where there is none.
   */
  readonly mark?: { readonly kind: 'run' | 'not run'; readonly words: string };
}

const fence = /^(?<indent> *)```(?<language>\w*)\n(?<text>.*?)^\k<indent>```$/gms;
const markBefore = /<!-- (?<kind>run|not run)(?:: (?<words>[^\n]+?))? -->\n\n?$/;

export function blocksOf(root: string, page: string): readonly Block[] {
  const whole = readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n');
  return [...whole.matchAll(fence)].map((match) => {
    const { indent = '', language = '', text: indented = '' } = match.groups ?? {};
    const text = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    const before = whole.slice(0, match.index);
    const found = markBefore.exec(before)?.groups;
    const mark =
      found === undefined ? {} : { mark: { kind: found['kind'] as 'run' | 'not run', words: found['words'] ?? '' } };
    return { page, line: before.split('\n').length + 1, language, text, ...mark };
  });
}
