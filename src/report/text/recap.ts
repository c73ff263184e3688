import type { Plan } from '../../engine/model/plan.js';
import { dangerKinds, dangersOf, dangerTitles } from '../view/danger.js';
import type { PlanViews } from '../view/plan-views.js';
import { visible } from '../words/escape.js';
import type { Style } from './style.js';
import { typeName } from '../words/type-name.js';

/** Every danger by name, worst first: what scrolled away, and must not be missed. */
export function recapLines(plan: Plan, views: PlanViews, style: Style): readonly string[] {
  const dangers = dangersOf(plan, views);
  return dangerKinds.flatMap((kind) => {
    const found = dangers.filter((danger) => danger.kind === kind);
    if (found.length === 0) return [];
    const names = found.map(({ step }) => `  ${visible(step.address)} (${typeName(step.type)})`);
    return [style.bold(style.yellow(`${dangerTitles[kind]}: ${found.length}`)), ...names];
  });
}
