import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { importIdForm as formOf, readImportId, uuid } from '@platform-sync/core/model/import-id';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';

/** Reads the id that `sync adopt` and `options.import` take, in the form that the type has for it. */
export function parseImportId(
  type: ResourceType,
  text: string,
): { readonly identity: Identity } | { readonly problem: Diagnostic } {
  const read = readImportId(type.importId, text);
  if ('identity' in read) {
    const { identity } = read;
    const wrong = Object.keys(identity.scope).find((field) => !isInForm(type, field, identity.scope[field] ?? ''));
    if (wrong === undefined) return read;
    return notOne(type, `"${identity.scope[wrong] ?? ''}" is no ${wrong}, which is a uuid`);
  }
  const why = type.importId.form === 'plain' ? `the id of an ${type.name} is a plain string` : read.why;
  return notOne(type, why);
}

/** False for what the place that an object lives in can't be called by: asking for it would only be refused. */
function isInForm({ fields }: ResourceType, field: string, id: string): boolean {
  return fields[field]?.schema['format'] !== 'uuid' || uuid.test(id);
}

function notOne(type: ResourceType, why: string): { readonly problem: Diagnostic } {
  return {
    problem: {
      severity: 'error',
      code: 'bad-import-id',
      summary: `This is not an import id of an ${type.name}: ${why}.`,
      hint: `The form is: ${importIdForm(type)}`,
    },
  };
}

/** How an import id of this type looks, for help and errors. */
export function importIdForm(type: ResourceType): string {
  return formOf(type.importId);
}
