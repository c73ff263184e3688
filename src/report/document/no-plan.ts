import { defined } from '@platform-sync/core/model/defined';
import { diagnosticCount } from '../words/diagnostics.js';
import { folded, oncePerPlace } from '../words/alike.js';
import { noPlanTitle, type NoPlan } from '../view/no-plan.js';
import type { Document } from './document.js';
import { problemItem, section } from './section.js';

/** What is told of a plan that could not be made. */
export function noPlanDocument({ diagnostics, engine, project, stack }: NoPlan): Document {
  const verdict = `${noPlanTitle}: ${diagnosticCount(oncePerPlace(diagnostics))}`;
  return {
    subject: { what: 'Plan for', ...defined({ project, stack }), targets: {} },
    verdict,
    mark: '⛔',
    tone: 'blocked',
    ending: verdict,
    facts: [],
    sections: section('problems', 'Problems', 'grave', folded(diagnostics).map(problemItem)),
    next: [],
    source: [],
    made: engine === undefined ? [] : [`made by version ${engine}`],
  };
}
