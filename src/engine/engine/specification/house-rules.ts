import { createHash } from 'node:crypto';
import type { ISpectralDiagnostic } from '@stoplight/spectral-core';
import { parseYaml } from '@platform-sync/catalogue/read/data-files';
import { siblingPath } from '@platform-sync/catalogue/read/file-texts';
import { errorCode, type Severity } from '@platform-sync/core/model/diagnostic';
import type { RuleSetTexts } from '@platform-sync/core/model/project';
import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Flaw } from './flaw.js';
import type * as Spectral from './spectral.js';
import type { SpecificationText } from './text.js';

type Library = typeof Spectral;

/** What breaks a rule of the house. */
export type HouseRules = (document: SpecificationText) => Promise<readonly Flaw[]>;

/** A rule set that Spectral does not take, or without Spectral. */
export class BadRuleSet extends Error {
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Where the program has the library from, unless it lies beside it. */
const optionalPackage = '@platform-sync/house-rules';

/** One specification tells so many: what is corrected changes the rest. */
const mostFlaws = 50;

/** The rules of a set, ready to be asked. Throws BadRuleSet. */
export async function houseRules({ file, texts }: RuleSetTexts): Promise<HouseRules> {
  const library = await loadLibrary();
  // References to other files and addresses are no business of rules: nothing is fetched.
  const spectral = new library.Spectral({ resolver: new library.Resolver({ resolvers: {} }) });
  try {
    // Whether it is right is for the library to say.
    Reflect.apply(spectral.setRuleset, spectral, [new Definitions(library, texts).of(file)]);
  } catch (error) {
    const told: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw new BadRuleSet(told.map((each) => (each instanceof Error ? each.message : String(each))).join('; '));
  }
  return async (document) => {
    const found = await spectral.run(new library.Document(document.text, readBefore(document), document.file));
    // What can't be read or leads nowhere was told before.
    const broken = found.filter(
      ({ code }) => code !== 'invalid-ref' && code !== 'parser' && code !== 'unrecognized-format',
    );
    return broken.slice(0, mostFlaws).map((each) => flawOf(each, document));
  };
}

async function loadLibrary(): Promise<Library> {
  try {
    return await import('./spectral.js');
  } catch (error) {
    const isMissing = errorCode(error) === 'MODULE_NOT_FOUND' && String(error).includes(optionalPackage);
    if (!isMissing) throw error;
    throw new BadRuleSet(`the package ${optionalPackage} is not installed`, `npm install ${optionalPackage}`);
  }
}

/** The document as it was read: Spectral's own reader of YAML takes some times longer, and places are found here. */
function readBefore({ value = null }: SpecificationText): ConstructorParameters<Library['Document']>[1] {
  const start = { line: 0, character: 0 };
  return {
    parse: () => ({ data: value, diagnostics: [], ast: {}, lineMap: [] }),
    getLocationForJsonPath: () => ({ range: { start, end: start } }),
    trapAccess: (data) => data,
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

/** Sets as Spectral has them in programs: names are what they stand for. */
class Definitions {
  constructor(
    private readonly library: Library,
    private readonly texts: RuleSetTexts['texts'],
  ) {}

  of(file: string): object {
    const set = parseYaml(this.texts.get(file) ?? '');
    if (!isObject(set)) throw new BadRuleSet('it has no rules');
    const { extends: others, rules, formats: named, ...rest } = set;
    const isPair = isList(others) && others.length === 2 && /^(?:off|all|recommended)$/.test(String(others[1]));
    const extended = others === undefined ? [] : isList(others) && !isPair ? others : [others];
    const own = Object.entries(isObject(rules) ? rules : {}).map(([name, rule]) => [name, this.#rule(rule)]);
    return {
      ...rest,
      ...(extended.length > 0 && { extends: extended.map((one) => this.#extended(one, file)) }),
      ...(named !== undefined && { formats: this.#formats(named) }),
      rules: Object.fromEntries(own),
    };
  }

  #extended(value: Json, file: string): unknown {
    if (isList(value)) return [this.#extended(value[0] ?? null, file), value[1]];
    const name = String(value);
    if (name === 'spectral:oas') return withMemory(this.library.oas);
    return name === 'spectral:asyncapi' ? this.library.asyncapi : this.of(siblingPath(file, name));
  }

  #rule(rule: Json): unknown {
    if (!isObject(rule)) return rule;
    const { then, formats: named, ...rest } = rule;
    const checks = then === undefined ? undefined : (isList(then) ? then : [then]).map((one) => this.#check(one));
    return {
      ...rest,
      ...(named !== undefined && { formats: this.#formats(named) }),
      ...(checks !== undefined && { then: checks }),
    };
  }

  #check(then: Json): unknown {
    const { function: name, ...rest }: JsonObject = isObject(then) ? then : {};
    return { ...rest, function: named(this.library.functions, String(name), 'function') };
  }

  /** `oas3.1` is `oas3_1` in programs, and `asyncapi2` is `aas2`. */
  #formats(names: Json): readonly unknown[] {
    const inPrograms = (name: string): string => name.replace(/^asyncapi/, 'aas').replaceAll(/[.-]/g, '_');
    return (isList(names) ? names : [names]).map((name) =>
      named(this.library.formats, inPrograms(String(name)), 'format'),
    );
  }
}

/**
 * Spectral's rules for examples compile a schema anew wherever a part that has one is referred to, which is most of the time that
 * its rules take. Within a document, what was found right is found so everywhere.
 */
function withMemory(set: Library['oas']): object {
  const right = new WeakMap<object, Set<string>>();
  const apply = (check: Check, self: unknown, given: Parameters<Check>): unknown => {
    const [value, options, { path, document }] = given;
    const known = right.get(document) ?? new Set();
    right.set(document, known);
    const key = digestOf([value, options, sideOf(path)]);
    if (key !== undefined && known.has(key)) return undefined;
    const found: unknown = Reflect.apply(check, self, given);
    const isRight = found === undefined || (Array.isArray(found) && found.length === 0);
    if (key !== undefined && isRight) known.add(key);
    return found;
  };
  const rules = Object.entries(set.rules).map(([name, rule]) => {
    const then: unknown = typeof rule === 'object' && 'then' in rule ? rule.then : undefined;
    if (!/-valid-(?:media|schema)-example$/.test(name) || typeof rule !== 'object' || !(then instanceof Object))
      return [name, rule];
    const check: unknown = Reflect.get(then, 'function');
    // It has members, too, which Spectral looks at.
    const remembering = isCheck(check) ? new Proxy(check, { apply }) : check;
    return [name, { ...rule, then: { ...then, function: remembering } }];
  });
  return { ...set, rules: Object.fromEntries(rules) };
}

/** A function of a rule, as Spectral calls it. */
type Check = (
  value: Json,
  options: Json,
  context: { readonly path: readonly string[]; readonly document: object },
) => unknown;

function isCheck(value: unknown): value is Check {
  return typeof value === 'function';
}

/** Requests and answers are asked otherwise: what only answers have is not sent. */
function sideOf([top = '', kind = '', , member = '']: readonly string[]): Json {
  return top === 'components' ? kind : [top, member];
}

/** Undefined for what holds itself. */
function digestOf(value: Json): string | undefined {
  try {
    return createHash('sha1').update(JSON.stringify(value)).digest('base64');
  } catch {
    return undefined;
  }
}

function named(all: object, name: string, what: string): unknown {
  const found: unknown = Object.entries(all).find(([known]) => known === name)?.[1];
  if (typeof found !== 'function') throw new BadRuleSet(`it names a ${what} that Spectral does not have: ${name}`);
  return found;
}
