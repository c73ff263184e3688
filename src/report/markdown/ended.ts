import { code } from './escape.js';
import { placeLine } from './place.js';
import type { ReviewPlace } from '../view/review-place.js';

/** How a job ended that left no result document. */
export const endings = ['cancelled', 'failed'] as const;
export type Ending = (typeof endings)[number];

const words: Readonly<Record<Ending, string>> = {
  cancelled: '## 🛑 No result: the run was cancelled\n\n',
  failed: '## ⛔ No result: the run ended before there was one\n\n',
};

/**
 * What a reader is told of a run that left nothing. Claims nothing about the catalogue or the platform; `doubt`: an apply
 * was to follow, of which nothing says that it began: one that begins leaves a result at once.
 */
export function endedMarkdown(ending: Ending, stack: string, at: ReviewPlace = {}, doubt = false): string {
  const also = doubt
    ? ' Nothing says that the apply began: it was turned down or never started, or its machine was lost. The next plan shows what is left to do.'
    : '';
  return `${words[ending]}Stack ${code(stack)}. What an earlier run said about this request no longer counts.${also} Run it again to get a result.\n\n${placeLine(at)}`;
}

/** What a reader is told where the request has moved on before the text was ready. */
export function supersededMarkdown(head: string, at: ReviewPlace = {}): string {
  return `## ⏩ Superseded by a newer commit\n\nThe request is at ${code(head.slice(0, 12))} since; the run of that commit says what it means.\n\n${placeLine(at)}`;
}
