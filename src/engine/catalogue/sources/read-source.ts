import { lastKey } from '@platform-sync/core/model/address';
import { defined } from '@platform-sync/core/model/defined';
import type { MapEntry } from '@platform-sync/core/model/expression';
import type { FileRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { resolveType, type Vocabulary } from '../build/vocabulary.js';
import type { BuildContext } from '../read/build-context.js';
import { reportFailure } from '../read/file-failures.js';
import { reportConflict } from '../read/syntax-errors.js';
import { readOptions } from '../read/options.js';
import { overlayEntries } from '../read/overlay.js';
import type { Draft } from '../read/draft.js';
import { addressOf, filesOf, keyOfKept } from './addresses.js';
import type { FileValues } from './file-values.js';
import type { FoundSource } from './find-files.js';
import { readPage } from './markdown.js';
import { readSpecification } from './specification.js';

/** The resources that the files of a source stand for, without children: their addresses say where they belong. */
export function readSource(source: FoundSource, vocabulary: Vocabulary, context: BuildContext): readonly Draft[] {
  const type = resolveType(source.type.text, source.type.at, vocabulary, context);
  if (type === undefined) return [];
  const rule = type.file;
  if (rule === undefined) {
    reportNoRule(source, type, vocabulary, context);
    return [];
  }
  const files = filesOf(source, rule.format);
  if (files.length === 0) reportNoFiles(source, rule, context);
  return files.flatMap((file) => readFile(file, source, type, rule, vocabulary, context));
}

function readFile(
  file: string,
  source: FoundSource,
  type: ResourceType,
  rule: FileRule,
  vocabulary: Vocabulary,
  context: BuildContext,
): readonly Draft[] {
  const address = addressOf(file, source, type);
  if (context.rules?.data(file) === false) {
    context.problems.add('file-no-data', source.at, `The policy does not let these files read ${file}.`, {
      hint: 'The operator can list its folder under "data" in the policy (SYNC_POLICY).',
    });
    return [];
  }
  const read = context.data.text(file, source.declaredIn);
  if (!read.ok) {
    reportFailure(file, read, source.at, context);
    return resourcesOf(file, address, undefined, source, type, rule, vocabulary, context);
  }
  context.sources.add(file, read.text);
  const values = reportConflict(file, read.text, context.problems)
    ? undefined
    : rule.format === 'specification'
      ? readSpecification(file, read.text, rule, context)
      : readPage(file, read.text, rule, type, lastKey(address), context);
  return resourcesOf(file, address, values, source, type, rule, vocabulary, context);
}

/** The resource, and what the platform keeps its body as. Of a broken file they are there, and nothing is known of them. */
function resourcesOf(
  file: string,
  address: string,
  values: FileValues | undefined,
  source: FoundSource,
  type: ResourceType,
  rule: FileRule,
  vocabulary: Vocabulary,
  context: BuildContext,
): readonly Draft[] {
  const at = { file, start: 0, end: 0 };
  const { fields, body, order } = values ?? { fields: new Map<string, MapEntry>(), body: undefined };
  const made = (where: string, token: string, properties: ReadonlyMap<string, MapEntry>): Draft => ({
    address: where,
    key: lastKey(where),
    at,
    type: values === undefined ? undefined : { text: token, at: source.type.at },
    properties,
    children: [],
    options: readOptions(new Map(), where, context),
    optionEntries: new Map(),
    declaredIn: source.declaredIn,
    ...defined({ order: where === address ? order : undefined }),
  });
  const kept = vocabulary.types.get(type.fields[rule.body]?.keptAs ?? '');
  const held = new Map(body === undefined ? [] : [[rule.body, body]]);
  const own = overlayEntries(kept === undefined ? new Map([...fields, ...held]) : fields, source.properties);
  const resource = made(address, type.token, own);
  return kept === undefined ? [resource] : [resource, made(`${address}/${keyOfKept(type, kept)}`, kept.token, held)];
}

function reportNoRule(
  { files, type: { at } }: FoundSource,
  type: ResourceType,
  { types }: Vocabulary,
  { problems }: BuildContext,
): void {
  const able = [...types.values()].filter(({ file }) => file !== undefined).map(({ shortToken }) => shortToken);
  problems.add('source-type', at, `A file can't stand for a ${type.shortToken} (in the source ${files}).`, {
    hint: `Types of files are ${[...new Set(able)].join(', ')}.`,
  });
}

function reportNoFiles({ files, at, found }: FoundSource, { format }: FileRule, { problems }: BuildContext): void {
  const wanted = format === 'specification' ? '.yaml, .yml or .json' : '.md or .markdown';
  problems.add('no-source-files', at, `The source ${files} has no file.`, {
    hint:
      found.length === 0
        ? 'Folders and patterns are relative to the file that names them. Nothing should exist? Remove the source.'
        : `Files of this type end with ${wanted}.`,
  });
}
