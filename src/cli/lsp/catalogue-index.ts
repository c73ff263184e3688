import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import { visitExpression, type Expression, type ReferenceExpression } from '@platform-sync/core/model/expression';

/** A place in a catalogue, and what stands there. */
export type Spot =
  | { readonly kind: 'resource'; readonly at: SourceRange; readonly resource: DesiredResource }
  | { readonly kind: 'property'; readonly at: SourceRange; readonly resource: DesiredResource; readonly name: string }
  | { readonly kind: 'reference'; readonly at: SourceRange; readonly reference: ReferenceExpression };

/** Where everything of a catalogue stands, by file. */
export class CatalogueIndex {
  readonly desired: DesiredState;
  readonly #spots = new Map<string, Spot[]>();

  constructor(desired: DesiredState) {
    this.desired = desired;
    for (const resource of desired.resources.values()) this.#addResource(resource);
    for (const expression of [...desired.variables.values(), ...desired.outputs.values()])
      this.#addReferences(expression);
  }

  #addResource(resource: DesiredResource): void {
    this.#add({ kind: 'resource', at: resource.at, resource });
    for (const [name, value] of resource.properties) {
      const at = resource.propertyKeys.get(name);
      if (at !== undefined) this.#add({ kind: 'property', at, resource, name });
      this.#addReferences(value);
    }
  }

  #addReferences(expression: Expression): void {
    visitExpression(expression, {
      reference: (reference) => this.#add({ kind: 'reference', at: reference.at, reference }),
    });
  }

  #add(spot: Spot): void {
    const { file } = spot.at;
    const known = this.#spots.get(file);
    if (known === undefined) this.#spots.set(file, [spot]);
    else known.push(spot);
  }

  /** What stands at an offset: the narrowest, where one lies in another. */
  at(file: string, offset: number): Spot | undefined {
    const around = this.in(file).filter(({ at: { start, end } }) => start <= offset && offset <= end);
    return around.sort((a, b) => a.at.end - a.at.start - (b.at.end - b.at.start))[0];
  }

  in(file: string): readonly Spot[] {
    return this.#spots.get(file) ?? [];
  }

  /** Every reference to an address or a variable. */
  referencesTo(target: string): readonly ReferenceExpression[] {
    return [...this.#spots.values()]
      .flat()
      .flatMap((spot) => (spot.kind === 'reference' && spot.reference.target === target ? [spot.reference] : []));
  }
}
