import { Document, Spectral, type ISpectralDiagnostic } from '@stoplight/spectral-core';
import * as formats from '@stoplight/spectral-formats';
import * as functions from '@stoplight/spectral-functions';
import parsers from '@stoplight/spectral-parsers';
import { Resolver } from '@stoplight/spectral-ref-resolver';
import { asyncapi, oas } from '@stoplight/spectral-rulesets';
import { parseYaml } from '@platform-sync/catalogue/read/data-files';
import { siblingPath } from '@platform-sync/catalogue/read/file-texts';
import type { Severity } from '@platform-sync/core/model/diagnostic';
import type { RuleSetTexts } from '@platform-sync/core/model/project';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Flaw } from './flaw.js';
import type { SpecificationText } from './text.js';

/** What breaks a rule of the house. */
export type HouseRules = (document: SpecificationText) => Promise<readonly Flaw[]>;

/** A rule set that Spectral does not take. */
export class BadRuleSet extends Error {}

/** One specification tells so many: what is corrected changes the rest. */
const mostFlaws = 50;

/** The rules of a set, ready to be asked. Throws BadRuleSet. */
export function houseRules({ file, texts }: RuleSetTexts): HouseRules {
  // References to other files and addresses are no business of rules: nothing is fetched.
  const spectral = new Spectral({ resolver: new Resolver({ resolvers: {} }) });
  try {
    // Whether it is right is for the library to say.
    Reflect.apply(spectral.setRuleset, spectral, [definition(file, texts)]);
  } catch (error) {
    const told: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw new BadRuleSet(told.map((each) => (each instanceof Error ? each.message : String(each))).join('; '));
  }
  return async (document) => {
    const isJson = /^\s*[{[]/.test(document.text);
    const text = isJson
      ? new Document(document.text, parsers.Json, document.file)
      : new Document(document.text, parsers.Yaml, document.file);
    const found = await spectral.run(text);
    // What can't be read or leads nowhere was told before.
    const broken = found.filter(
      ({ code }) => code !== 'invalid-ref' && code !== 'parser' && code !== 'unrecognized-format',
    );
    return broken.slice(0, mostFlaws).map((each) => flawOf(each, document));
  };
}

const severities: readonly Severity[] = ['error', 'warning', 'info', 'info'];

function flawOf(
  { code, message, path, severity, documentationUrl }: ISpectralDiagnostic,
  document: SpecificationText,
): Flaw {
  const names = path.map(String);
  return {
    code: 'house-rule',
    severity: severities[severity] ?? 'warning',
    what: `breaks the rule ${code}: ${message.replace(/\.$/, '')}`,
    ...(documentationUrl !== undefined && { hint: `The rule: ${documentationUrl}` }),
    ...{ place: document.placeOf(names), document, path: names },
  };
}

/** The set as Spectral has it in programs: names are what they stand for. */
function definition(file: string, texts: RuleSetTexts['texts']): object {
  const set = parseYaml(texts.get(file) ?? '');
  if (!isObject(set)) throw new BadRuleSet('it has no rules');
  const { extends: others, rules, formats: named, ...rest } = set;
  const one = (value: Json): unknown => {
    if (isList(value)) return [one(value[0] ?? null), value[1]];
    const name = String(value);
    if (name === 'spectral:oas') return oas;
    return name === 'spectral:asyncapi' ? asyncapi : definition(siblingPath(file, name), texts);
  };
  const isPair = isList(others) && others.length === 2 && /^(?:off|all|recommended)$/.test(String(others[1]));
  const extended = others === undefined ? [] : isList(others) && !isPair ? others : [others];
  return {
    ...rest,
    ...(extended.length > 0 && { extends: extended.map(one) }),
    ...(named !== undefined && { formats: formatsOf(named) }),
    rules: Object.fromEntries(Object.entries(isObject(rules) ? rules : {}).map(([name, rule]) => [name, ruleOf(rule)])),
  };
}

function ruleOf(rule: Json): unknown {
  if (!isObject(rule)) return rule;
  const { then, formats: named, ...rest } = rule;
  const checks = then === undefined ? undefined : (isList(then) ? then : [then]).map(checkOf);
  return {
    ...rest,
    ...(named !== undefined && { formats: formatsOf(named) }),
    ...(checks !== undefined && { then: checks }),
  };
}

function checkOf(then: Json): unknown {
  const { function: name, ...rest }: JsonObject = isObject(then) ? then : {};
  return { ...rest, function: named(functions, String(name), 'function') };
}

/** `oas3.1` is `oas3_1` in programs, and `asyncapi2` is `aas2`. */
function formatsOf(names: Json): readonly unknown[] {
  return (isList(names) ? names : [names]).map((name) =>
    named(
      formats,
      String(name)
        .replace(/^asyncapi/, 'aas')
        .replaceAll(/[.-]/g, '_'),
      'format',
    ),
  );
}

function named(all: object, name: string, what: string): unknown {
  const found: unknown = Object.entries(all).find(([known]) => known === name)?.[1];
  if (typeof found !== 'function') throw new BadRuleSet(`it names a ${what} that Spectral does not have: ${name}`);
  return found;
}
