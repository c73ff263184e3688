import type { Description } from './description.js';
import type { TypeSite } from './type-site.js';

/** What else is known while fields are made. */
export interface FieldContext {
  readonly description: Description;
  readonly site: TypeSite;
  /** The type that an id's stem names, as seen from this one. */
  readonly typeNamed: (stem: string) => string | undefined;
  /** Wire name of the member that all objects of the type have the same: nobody declares it. */
  readonly fixed: string | undefined;
  /** Wire name of the member that holds what the path says, too. */
  readonly named: string | undefined;
  /** Field that says which branch of a union an object is of. */
  readonly by: string | undefined;
}
