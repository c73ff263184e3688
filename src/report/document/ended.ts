import { defined } from '@platform-sync/core/model/value';
import type { Document, Line } from './document.js';

/** How a job ended that left no result document. */
export const endings = ['cancelled', 'failed'] as const;
export type Ending = (typeof endings)[number];

/** What is known of the run: a plan that it was to carry out names both. */
interface RunOf {
  readonly project?: string | undefined;
  readonly stack?: string | undefined;
}

const words: Readonly<Record<Ending, { readonly mark: string; readonly verdict: string }>> = {
  cancelled: { mark: '🛑', verdict: 'No result: the run was cancelled' },
  failed: { mark: '⛔', verdict: 'No result: the run ended before there was one' },
};

/**
 * What a reader is told of a run that left nothing. Claims nothing about the catalogue or the platform; `doubt`: an apply
 * was to follow, of which nothing says that it began: one that begins leaves a result at once.
 */
export function endedDocument(ending: Ending, of: RunOf, doubt = false): Document {
  const also = doubt
    ? ' Nothing says that the apply began: it was turned down or never started, or its machine was lost. The next plan shows what is left to do.'
    : '';
  // Where the project is known, the heading has both.
  const about: Line = of.stack === undefined || of.project !== undefined ? [] : ['Stack ', { code: of.stack }, '. '];
  const text = `What an earlier run said about this request no longer counts.${also} Run it again to get a result.`;
  return bare({ ...words[ending], tone: 'blocked' }, of, [...about, text]);
}

/** What a reader is told where the request has moved on before the text was ready. */
export function supersededDocument(head: string, stack?: string): Document {
  const line: Line = [
    'The request is at ',
    { code: head.slice(0, 12) },
    ' since; the run of that commit says what it means.',
  ];
  return bare({ mark: '⏩', verdict: 'Superseded by a newer commit', tone: 'incomplete' }, { stack }, line);
}

function bare(told: Pick<Document, 'mark' | 'verdict' | 'tone'>, of: RunOf, line: Line): Document {
  const subject = { what: 'Run of', ...defined({ project: of.project, stack: of.stack }), targets: {} };
  return {
    ...told,
    subject,
    ending: told.verdict,
    facts: [{ weight: 'plain', line }],
    sections: [],
    next: [],
    source: [],
    made: [],
    values: { verdict: 'failed', 'verdict-text': told.verdict },
  };
}
