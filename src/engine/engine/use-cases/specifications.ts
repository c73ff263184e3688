import { followReference, knownValue, type Hole, type ValueScope } from '@platform-sync/catalogue/build/known-value';
import { ProjectFiles } from '@platform-sync/catalogue/read/file-texts';
import { defined, hasSecret, hasUnknown, reveal, type Value } from '@platform-sync/core/model/value';
import type { DesiredResource, DesiredState } from '@platform-sync/core/model/desired';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { type Expression, visitExpression } from '@platform-sync/core/model/expression';
import { fieldsWhere, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Step } from '../plan/step.js';
import type { SpecificationValue } from '../specification/check.js';
import type { ReferredFiles } from '../specification/references.js';
import type { Workspace } from '../workspace.js';

export const documents = fieldsWhere(({ equality, input }) => equality === 'document' && input);

/** Every specification of the catalogue that is known before the run. */
export function declaredSpecifications(
  { resources, variables }: DesiredState,
  typeOf: (token: string) => ResourceType,
): readonly SpecificationValue[] {
  const scope: ValueScope = { variables, unusable: new Set(), broken: new WeakSet() };
  return [...resources.values()].flatMap((resource) => {
    const type = typeOf(resource.type);
    return documents(type).flatMap(({ name }) => {
      const expression = resource.properties.get(name);
      if (expression === undefined) return [];
      const holes: Hole[] = [];
      const value = knownValue(expression, scope, holes);
      if (typeof value !== 'string' || holes.length > 0) return [];
      return [specification(resource, type, name, value, hasSecretIn(expression, variables), variables)];
    });
  });
}

/** The specifications that a plan would write or take over, and those that are kept although they are broken. What is recorded and stays is not read. */
export function plannedSpecifications(
  steps: Iterable<Step>,
  variables: DesiredState['variables'],
): readonly SpecificationValue[] {
  return [...steps].flatMap(({ desired, type, declared, action, changes }) => {
    if (desired === undefined || action === 'not-compared') return [];
    const isMade = action === 'create' || action === 'replace';
    return documents(type).flatMap(({ name }) => {
      const value = declared.get(name);
      if (value === undefined || hasUnknown(value)) return [];
      const isSent = isMade || changes.some(({ rule }) => rule.name === name);
      if (isSent || desired.options.allowBrokenSpecification === true)
        return known(desired, type, name, value, variables);
      if (action !== 'adopt') return [];
      return known(desired, type, name, value, variables).map((one) => ({ ...one, exception: 'adopted' as const }));
    });
  });
}

/** The same of one resource whose values became known while a plan is carried out. */
export function lateSpecifications(
  { desired, type, declared }: Pick<Step, 'type' | 'declared'> & { readonly desired: DesiredResource },
  variables: DesiredState['variables'],
): readonly SpecificationValue[] {
  return documents(type).flatMap(({ name }) => {
    const value = declared.get(name);
    return value === undefined || hasUnknown(value) ? [] : known(desired, type, name, value, variables);
  });
}

/** Address and field → the text that stood there before the change under review. */
export type TextsBefore = () => Promise<ReadonlyMap<string, string> | undefined>;

/** Loads the rules of specifications, which are many, only where there is one to check. */
export async function brokenSpecifications(
  workspace: Workspace,
  values: readonly SpecificationValue[],
  { sources }: Pick<DesiredState, 'sources'>,
  before?: TextsBefore,
): Promise<readonly Diagnostic[]> {
  if (values.length === 0) return [];
  const { specificationProblems } = await import('../specification/check.js');
  const files = filesOf(workspace);
  const { specificationRules: set } = workspace.config;
  if (set === undefined) return specificationProblems(values, { files, sources });
  const { BadRuleSet, houseRules } = await import('../specification/house-rules.js');
  try {
    const house = await houseRules(set);
    return await specificationProblems(values, { files, sources, house, before: await before?.() });
  } catch (error) {
    if (!(error instanceof BadRuleSet)) throw error;
    const summary = `The rule set ${set.file} can't be used: ${error.message}.`;
    const place = { file: set.file, line: 1, column: 1 };
    return [{ severity: 'error', code: 'bad-rule-set', summary, place, ...defined({ hint: error.hint }) }];
  }
}

/** The specifications of a catalogue that is known whole, by address and field. */
export function textsOf(desired: DesiredState, typeOf: (token: string) => ResourceType): ReadonlyMap<string, string> {
  const values = declaredSpecifications(desired, typeOf);
  return new Map(values.map(({ address, field, text }) => [`${address} ${field}`, text]));
}

export function isSpecificationOf({ file }: ResourceType, field: string): boolean {
  return file?.format === 'specification' && file.body === field;
}

function filesOf({ config, reading }: Workspace): ReferredFiles {
  const files = new ProjectFiles(config.root, config.state.backend === 'sqlite' ? config.state.path : undefined);
  return { read: (file) => (reading.rules.data(file) ? files.read(file) : { ok: false, why: 'policy' }) };
}

function known(
  resource: DesiredResource,
  type: ResourceType,
  field: string,
  value: Value,
  variables: DesiredState['variables'],
): readonly SpecificationValue[] {
  const text = reveal(value);
  return typeof text === 'string' ? [specification(resource, type, field, text, hasSecret(value), variables)] : [];
}

function specification(
  { address, options, properties, at }: DesiredResource,
  type: ResourceType,
  field: string,
  text: string,
  isSecret: boolean,
  variables: DesiredState['variables'],
): SpecificationValue {
  const expression = properties.get(field);
  const origin = expression === undefined ? undefined : originOf(expression, variables);
  return {
    ...{ address, field, text, isSecret },
    at: (origin ?? expression)?.at ?? at,
    ...defined({ from: origin?.kind === 'literal' && origin.value === text ? origin.from : undefined }),
    ...(options.allowBrokenSpecification === true && { exception: 'option' }),
    isCertain: isSpecificationOf(type, field),
  };
}

/** Where the text itself stands, behind references to variables and marks of secrets. */
function originOf(expression: Expression, variables: DesiredState['variables']): Expression {
  if (expression.kind === 'secret') return originOf(expression.value, variables);
  if (expression.kind !== 'reference') return expression;
  const scope: ValueScope = { variables, unusable: new Set(), broken: new WeakSet() };
  const found = followReference(expression, scope);
  if (found === undefined || found.rest.length > 0 || found.expression === expression) return expression;
  return originOf(found.expression, variables);
}

function hasSecretIn(expression: Expression, variables: DesiredState['variables'], seen = new Set<string>()): boolean {
  let found = false;
  visitExpression(expression, {
    secret: () => (found = true),
    reference: ({ to, target }) => {
      const value = to === 'variable' && !seen.has(target) ? variables.get(target) : undefined;
      seen.add(target);
      if (value !== undefined) found ||= hasSecretIn(value, variables, seen);
    },
  });
  return found;
}
