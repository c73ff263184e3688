import type { ResourceType } from '../../src/engine/model/resource-type.js';
import { cloudPackage } from '../../src/providers/cloud/package.js';
import { platformPackage } from '../../src/providers/platform/package.js';
import { exampleText, fieldsApart } from '../../src/report/text/example.js';

/** Every type there is. */
export const types = [...platformPackage.types.values(), ...cloudPackage.types.values()];
export const typeOf = (token: string): ResourceType | undefined => types.find((type) => type.token === token);

/** As the command writes it. */
export async function example(type: ResourceType): Promise<string> {
  const { validate } = type.provider === 'platform' ? platformPackage : cloudPackage;
  return exampleText(type, typeOf, await fieldsApart(type, (properties) => validate(type.token, properties)));
}
