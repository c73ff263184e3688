import type { Plan, Step } from '../../engine/model/plan.js';
import { dangerKinds, dangersOf, dangerTitles } from '../view/danger.js';
import type { PlanViews } from '../view/plan-views.js';
import type { SpecChange } from '../openapi/change.js';
import { specChangeText } from '../openapi/words.js';
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
    const names = found.flatMap(({ step, breaks }) => [
      `  ${visible(step.address)} (${typeName(step.type)})${whoSees(step)}`,
      ...breakLines(breaks),
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

function breakLines(breaks: readonly SpecChange[]): readonly string[] {
  const lines = breaks.slice(0, shownBreaks).map((change) => `    breaks clients: ${specChangeText(change)}`);
  const hidden = breaks.length - lines.length;
  return hidden === 0 ? lines : [...lines, `    and ${hidden} more that break clients`];
}
