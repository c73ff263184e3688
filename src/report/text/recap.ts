import type { Plan, Step } from '../../engine/model/plan.js';
import { dangerKinds, dangersOf, dangerTitles } from '../view/danger.js';
import type { PlanViews } from '../view/plan-views.js';
import type { SpecChange } from '../openapi/change.js';
import { clientClause } from '../openapi/words.js';
import { visible } from '../words/escape.js';
import { riskClause } from '../words/reasons.js';
import type { Style } from './style.js';
import { typeName } from '../words/type-name.js';

/** Every danger by name, worst first: what scrolled away, and must not be missed. */
export function recapLines(plan: Plan, views: PlanViews, style: Style): readonly string[] {
  const dangers = dangersOf(plan, views);
  return dangerKinds.flatMap((kind) => {
    const found = dangers.filter((danger) => danger.kind === kind);
    if (found.length === 0) return [];
    const names = found.flatMap(({ step, forClients }) => [
      `  ${visible(step.address)} (${typeName(step.type)})${whoSees(step)}`,
      ...clientLines(forClients),
    ]);
    return [style.bold(style.yellow(`${dangerTitles[kind]}: ${found.length}`)), ...names];
  });
}

/** Where it is not the object itself that is seen on the portal. */
function whoSees({ risks, action }: Step): string {
  const clauses = risks.flatMap((risk) =>
    (risk.kind === 'publishes' || risk.kind === 'unpublishes') && risk.what !== undefined
      ? (riskClause(risk, action) ?? [])
      : [],
  );
  return clauses.length === 0 ? '' : `: ${clauses.join('; ')}`;
}

const shownBreaks = 5;

function clientLines(changes: readonly SpecChange[]): readonly string[] {
  const lines = changes.slice(0, shownBreaks).map((change) => `    ${clientClause(change)}`);
  const hidden = changes.length - lines.length;
  return hidden === 0 ? lines : [...lines, `    and ${hidden} more for clients`];
}
