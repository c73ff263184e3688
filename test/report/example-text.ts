import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { cloudPackage } from '@platform-sync/cloud/package';
import { platformPackage } from '@platform-sync/platform/package';
import { exampleText, fieldsApart } from '@platform-sync/report/text/example';

/** Every type there is. */
export const types = [...platformPackage.types.values(), ...cloudPackage.types.values()];
export const typeOf = (token: string): ResourceType | undefined => types.find((type) => type.token === token);

/** As the command writes it. */
export async function example(type: ResourceType): Promise<string> {
  const { validate } = type.provider === 'platform' ? platformPackage : cloudPackage;
  return exampleText(type, typeOf, await fieldsApart(type, (properties) => validate(type.token, properties)));
}
