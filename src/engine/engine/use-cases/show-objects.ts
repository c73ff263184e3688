import type { ObjectQuestion, ShownObjects } from '../api.js';
import { ruledLookup, textOperators } from '@platform-sync/core/lookups/by-rule';
import { checkLookupArguments } from '@platform-sync/core/lookups/check-arguments';
import { filterOf, placeArguments, refused } from '@platform-sync/core/lookups/place';
import { defined, isObject, type JsonObject } from '@platform-sync/core/model/value';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError, type ProviderPackage, type SchemaViolation } from '@platform-sync/core/model/provider';
import { memberName, type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import type { Workspace } from '../workspace.js';

/** Objects as the platform shows them, secrets left out. Looks at no state and no catalogue. */
export async function showObjects(workspace: Workspace, question: ObjectQuestion): Promise<ShownObjects> {
  const { many, name, parents = [], filters = [] } = question;
  const found = await findType(workspace, question.type);
  if ('problem' in found) return { diagnostics: [found.problem] };
  const { loaded, type } = found;
  try {
    const place = await placeArguments(
      type,
      parents,
      (token) => loaded.types.get(token),
      async (above, args) => String((await workspace.find(above, 'one', args))['id']),
    );
    const wanted = {
      ...(isObject(place['filter']) ? place['filter'] : {}),
      ...filterOf(type, filters),
    };
    const args: JsonObject = {
      ...place,
      ...defined({ name }),
      ...(Object.keys(wanted).length === 0 ? {} : { filter: wanted }),
    };
    const lookup = ruledLookup(type, many);
    if (lookup === undefined)
      throw refused('bad-question', `Nothing lists objects of the type ${type.name}.`, {
        hint: `By its id: sync get ${type.name} ID`,
      });
    const [wrong] = await checkLookupArguments(loaded, lookup, args);
    if (wrong !== undefined) throw badQuestion(type, wrong, lookup.inputs);
    const result = await workspace.find(type.token, many, args);
    const answered = many === 'one' ? [result] : (result['datas'] as readonly JsonObject[]);
    const objects = answered.map((object) => workspace.redactor.object(object));
    return { type, objects, diagnostics: workspace.warnings };
  } catch (error) {
    if (error instanceof ProviderError) return { type, diagnostics: [...workspace.warnings, ...error.diagnostics] };
    throw error;
  }
}

async function findType(
  { options: { packages } }: Workspace,
  text: string,
): Promise<{ readonly loaded: ProviderPackage; readonly type: ResourceType } | { readonly problem: Diagnostic }> {
  const wanted = text.toLowerCase();
  const names: string[] = [];
  for (const name of packages.names) {
    const loaded = await packages.load(name);
    for (const token of loaded.types.keys()) {
      const spellings = [memberName(token), shortToken(token), token];
      names.push(...spellings.slice(0, 2));
      const type = spellings.some((each) => each.toLowerCase() === wanted) ? loaded.types.get(token) : undefined;
      if (type !== undefined) return { loaded, type };
    }
  }
  const hint = didYouMean(text, names) ?? 'All types: sync schema';
  return {
    problem: { severity: 'error', code: 'unknown-type', summary: `There is no resource type "${text}".`, hint },
  };
}

function badQuestion(
  type: ResourceType,
  { pointer, keyword, params, message }: SchemaViolation,
  inputs: JsonObject,
): ProviderError {
  const field = pointer.split('/').at(-1) ?? '';
  const members = (inputs['properties'] as JsonObject)['filter'];
  const known = isObject(members) ? Object.keys(members['properties'] as JsonObject) : [];
  const extra = String(params['additionalProperty']);
  if (keyword === 'additionalProperties' && /^\/filter\/./.test(pointer)) {
    const operators = Object.keys(textOperators);
    const hint = didYouMean(extra, operators) ?? `Operators are ${operators.join(', ')}.`;
    return refused('bad-question', `The filter on ${field} has no operator "${extra}".`, { hint });
  }
  if (keyword === 'additionalProperties' && known.length > 0) {
    const summary = `Lists of the type ${type.name} can't be filtered by "${extra}".`;
    return refused('bad-question', summary, { hint: didYouMean(extra, known) ?? `They can by ${known.join(', ')}.` });
  }
  return refused('bad-question', `${field === '' ? 'The question' : `"${field}"`} ${message}.`, {
    hint: `What can be asked: sync schema get${type.name}`,
  });
}
