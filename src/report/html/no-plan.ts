import { diagnosticCount } from '../words/diagnostics.js';
import { noPlanTitle, type NoPlan } from '../view/no-plan.js';
import type { ReviewPlace } from '../view/review-place.js';
import { markup } from './html.js';
import { pageHeading, pageHtml } from './page.js';
import { placeHtml } from './place.js';
import { problemsHtml } from './problems.js';
import { section } from './sections.js';

/** The page of a plan that could not be made. */
export function noPlanHtml({ diagnostics, engine, project, stack }: NoPlan, at: ReviewPlace): string {
  const where =
    project === undefined || stack === undefined
      ? ''
      : markup`<p class="facts">Project <b>${project}</b>, stack ${stack}</p>`;
  return pageHtml({
    title: project === undefined ? noPlanTitle : `${noPlanTitle} for ${project}, stack ${stack ?? ''}`,
    verdict: 'blocked',
    skip: 'To the errors',
    header: markup`${pageHeading(`⛔ ${noPlanTitle}: ${diagnosticCount(diagnostics)}`)}${where}${placeHtml(at)}`,
    main: section('problems', 'Problems', problemsHtml(diagnostics, at)),
    footer: engine === undefined ? '' : markup`<p>Made by version ${engine}.</p>`,
  });
}
