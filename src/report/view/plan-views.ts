import { isInOneFile } from '@platform-sync/core/model/resource-type';
import { ownMember } from '@platform-sync/core/model/value';
import type { FieldChange, Plan, PlanStep, PlanValue } from '@platform-sync/core/model/plan';
import { type Comparison, fieldView, type FieldView, isLong } from './field-view.js';
import { riskyChanges, type SpecChange } from '../openapi/rules.js';
import { mayBeDescription, structuredReader, type StructuredReader } from '../diff/structured-text.js';
import { visible } from '../words/escape.js';

/** The views of a plan's fields, made when first asked for and kept: several reports of one plan share one. */
export class PlanViews {
  private readonly made = new Map<PlanStep, readonly FieldView[]>();

  /** `read`: see `structuredReader`. `compare`: absent, where no two values need more than to stand side by side. */
  constructor(
    private readonly plan: Plan,
    private readonly read: StructuredReader,
    private readonly compare?: Comparison,
  ) {}

  /** The fields of a step worth showing: of what is deleted, all that the plan knows. */
  fields(step: PlanStep): readonly FieldView[] {
    const known = this.made.get(step);
    if (known !== undefined) return known;
    const shown = step.action === 'forget' ? [] : step.fields;
    const origin = fieldOrigins(this.plan, step.address);
    const views = shown.map((change) => this.#view(change, step, origin(change.field)));
    this.made.set(step, views);
    return views;
  }

  #view(change: FieldChange, step: PlanStep, origin: string | undefined): FieldView {
    const view = fieldView(change, step.action, this.read, this.compare);
    return origin === undefined ? view : { ...view, remarks: [...view.remarks, `by ${origin}`] };
  }

  /** What a new API description takes away from its callers, or may. */
  forClients(step: PlanStep): readonly SpecChange[] {
    // A description that is new, or goes, breaks nobody.
    if (!step.fields.some((field) => mayBeDescription(field.old) && mayBeDescription(field.new))) return [];
    return this.fields(step).flatMap(({ detail }) =>
      detail?.kind === 'paths' && detail.specification !== undefined ? riskyChanges(detail.specification) : [],
    );
  }
}

/** The views of a plan, with the parsers and comparisons that its values need and no others. */
export async function planViews(plan: Plan): Promise<PlanViews> {
  const isCompared = plan.steps.some(({ fields }) => fields.some(({ old, new: now }) => isMore(old) || isMore(now)));
  const [read, compare] = await Promise.all([
    structuredReader(plan),
    isCompared ? import('./compared.js').then(({ compared }) => compared) : undefined,
  ]);
  return new PlanViews(plan, read, compare);
}

/** What may be compared by more than standing beside another. */
function isMore(value: PlanValue | undefined): boolean {
  if (typeof value !== 'string') return typeof value === 'object' && value !== null;
  return isLong(value) || /^\s*\[/.test(value) || mayBeDescription(value);
}

/** For each field of a resource: `overlays/prod.yaml:7`, where it is given by another file than the one that has the resource. */
function fieldOrigins({ meta }: Pick<Plan, 'meta'>, address: string): (field: string) => string | undefined {
  if (isInOneFile(meta, address)) return noOrigin;
  const fields = ownMember(meta.fieldSources, address);
  const whole = ownMember(meta.sources, address);
  if (fields === undefined || whole === undefined) return noOrigin;
  const file = fileOf(whole);
  return (field) => {
    const place = Object.hasOwn(fields, field) ? fields[field] : undefined;
    return place === undefined || fileOf(place) === file ? undefined : visible(place.replace(/:\d+$/, ''));
  };
}

const noOrigin = (): undefined => undefined;

function fileOf(place: string): string {
  return place.replace(/:\d+:\d+$/, '');
}
