import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { RuleSetTexts } from '@platform-sync/core/model/project';
import { isList, isObject, type Json } from '@platform-sync/core/model/value';
import type { BuildContext } from '../read/build-context.js';
import { parseYaml } from '../read/data-files.js';
import { reportFailure } from '../read/file-failures.js';
import { siblingPath } from '../read/file-texts.js';

/** A rule set for specifications, and those of the project that it extends; undefined (reported) when one can't be had. */
export function readRuleSet(file: string, at: SourceRange, context: BuildContext): RuleSetTexts | undefined {
  const texts = new Map<string, string>();
  const isRead = readInto(texts, file.replace(/^\.\//, ''), at, context);
  return isRead ? { file: file.replace(/^\.\//, ''), texts } : undefined;
}

function readInto(texts: Map<string, string>, file: string, at: SourceRange, context: BuildContext): boolean {
  if (texts.has(file)) return true;
  if (context.rules?.data(file) === false) {
    context.problems.add('file-no-data', at, `The permissions do not let these files read ${file}.`);
    return false;
  }
  const read = context.data.text(file, at.file);
  if (!read.ok) {
    reportFailure(file, read, at, context);
    return false;
  }
  texts.set(file, read.text);
  const refuse = (why: string, hint: string): boolean => {
    context.problems.add('bad-rule-set', at, `The rule set ${file} ${why}.`, { hint });
    return false;
  };
  let rules: Json;
  try {
    rules = parseYaml(read.text);
  } catch {
    return refuse('is neither YAML nor JSON', 'Rule sets are files of Spectral, without code.');
  }
  if (!isObject(rules)) return refuse('has no rules', 'Write them under "rules", or name others under "extends".');
  if (rules['functions'] !== undefined || rules['functionsDir'] !== undefined)
    return refuse('brings functions of its own, which are never run', "Use Spectral's own functions.");
  return extendedBy(rules['extends']).every((name) => {
    if (/^spectral:(?:oas|asyncapi)$/.test(name)) return true;
    if (/^\.{0,2}\/?[^:@]+\.(?:ya?ml|json)$/.test(name)) return readInto(texts, siblingPath(file, name), at, context);
    return refuse(
      `extends ${name}, which is neither a file of the project nor spectral:oas or spectral:asyncapi`,
      copy,
    );
  });
}

const copy = 'Nothing is loaded from elsewhere: copy the rules into the project.';

function extendedBy(value: Json | undefined): readonly string[] {
  const given = value === undefined ? [] : isList(value) ? value : [value];
  return given.map((each) => String(isList(each) ? each[0] : each));
}
