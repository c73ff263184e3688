import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problems } from '@platform-sync/catalogue/problem/problems';
import { DataFiles } from '@platform-sync/catalogue/read/data-files';
import { ProjectFiles, SourceFiles } from '@platform-sync/catalogue/read/file-texts';
import { readDocuments } from '@platform-sync/catalogue/read/yaml-documents';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { plain } from '../engine/catalogue/plain.js';
import { edited } from '../engine/drift/edited.js';
import { lawRuns } from './runs.js';

describe('whatever is written, in whatever style', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom(
      '',
      ' ',
      'null',
      'yes',
      '1.0',
      '~',
      '- a',
      '# x',
      'a: b',
      '${x}',
      '$${x}',
      '!file x',
      '&a',
      '*a',
      '\u0085',
      '\u2028',
      '\ufeffx',
      "it's",
      '"q"',
      'a\n',
      '\na',
      'a\n\nb',
      'a\n ',
      ' a\nb',
      '\ta',
      'a\r\nb',
      '%a',
      '@a',
      '`a`',
      '|',
      '>',
      '{a}',
      '[a]',
      'a,b',
      '---',
      '...',
    ),
  );
  const scalar = fc.oneof(text, fc.integer(), fc.boolean());
  const key = fc.constantFrom('a', 'b', 'some-key', 'x_y', 'true', '1', 'key with space');
  const value: fc.Arbitrary<Json> = fc.oneof(
    scalar,
    fc.dictionary(key, fc.oneof(scalar, fc.array(text, { maxLength: 3 })), { maxKeys: 4 }),
    fc.array(text, { maxLength: 4 }),
  );

  /** `x` in one of many spellings, between properties that must not change. */
  const spelled = (from: Json, style: number): string => {
    const json = JSON.stringify(from).replaceAll('${', '$$${');
    const isText = typeof from === 'string';
    const words = [
      json,
      isObject(from) ? block(from as JsonObject) : json,
      isText && !/[^ -~]/.test(from) ? `'${from.replaceAll('${', '$$${').replaceAll("'", "''")}'` : json,
      isText && /^[a-z][a-z \n]*[a-z]\n?$/.test(from) ? literal(from) : json,
    ][style % 4];
    return `# head\nresources:\n  pets: # pets\n    type: platform:Api\n    properties:\n      name: Pets # name\n\n      description: ${words ?? json}\n      # version\n      version: "1"\n# foot\n`;
  };
  const block = (map: JsonObject): string =>
    Object.keys(map).length === 0
      ? '{}'
      : `# about\n${Object.entries(map)
          .map(
            ([name, item]) =>
              `        ${JSON.stringify(name)}: ${JSON.stringify(item).replaceAll('${', '$$${')} # ${name}`,
          )
          .join('\n')}`;
  const literal = (words: string): string =>
    `${words.endsWith('\n') ? '|' : '|-'}\n${words
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : `        ${line}`))
      .join('\n')}`;

  it('the file then says exactly that, and all other lines are as they were', () => {
    fc.assert(
      fc.property(value, value, fc.nat({ max: 3 }), (from, to, style) => {
        const before = spelled(from, style);
        const after = edited(before, { field: 'description', from, to });
        expect(
          after.startsWith(
            '# head\nresources:\n  pets: # pets\n    type: platform:Api\n    properties:\n      name: Pets # name\n\n      description:',
          ),
        ).toBe(true);
        expect(after.endsWith('\n      # version\n      version: "1"\n# foot\n')).toBe(true);
        expect(read(after)).toEqual({ name: 'Pets', description: to, version: '1' });
      }),
      { numRuns: lawRuns(1000) },
    );
  });

  it('a list below its key stays there, and each item that it keeps takes its lines along, byte for byte', () => {
    const item = fc.record({ text, quoted: fc.boolean(), above: fc.boolean(), beside: fc.boolean() });
    const list = fc.uniqueArray(item, { minLength: 1, maxLength: 6, selector: (each) => each.text });
    const pick = fc.oneof(fc.nat(5), text);
    const indent = fc.constantFrom(6, 8, 11);
    fc.assert(
      fc.property(list, fc.array(pick, { maxLength: 6 }), indent, fc.boolean(), (items, picks, column, isCrLf) => {
        const lines = items.map(({ text: said, quoted, above, beside }, at) => {
          const plainly = !quoted && /^[a-z]+$/.test(said) && !['null', 'yes'].includes(said);
          const words = plainly ? said : JSON.stringify(said).replaceAll('${', '$$${');
          const indented = ' '.repeat(column);
          const comment = above && at > 0 ? `${indented}# above ${at}\n` : '';
          return `${comment}${indented}-   ${words}${beside ? ` # beside ${at}` : ''}`;
        });
        const from = items.map((each) => each.text);
        const to = picks.map((each) => (typeof each === 'string' ? each : (from[each] ?? 'new')));
        const head = '# head\nresources:\n  pets:\n    properties:\n      tags: # tags\n';
        const foot = '\n      # version\n      version: "1"\n# foot\n';
        const ended = (words: string): string => (isCrLf ? words.replaceAll('\n', '\r\n') : words);
        const after = edited(ended(head + lines.join('\n') + foot), { field: 'tags', from, to });
        expect(read(after)).toEqual({ tags: to, version: '1' });
        expect(after.endsWith(ended(foot))).toBe(true);
        if (to.length === 0) return;
        expect(after.startsWith(ended(head))).toBe(true);
        expect(isCrLf && /[^\r]\n/.test(after)).toBe(false);
        for (const [at, line] of lines.entries())
          if (to.includes(from[at] ?? '')) expect(after).toContain(ended(`${line}\n`));
      }),
      { numRuns: lawRuns(500) },
    );
  });

  /** The properties as the loader reads them; their types are not its concern here. */
  function read(catalogue: string): unknown {
    const problems = new Problems();
    const context = {
      ...{ problems, sources: new SourceFiles(), data: new DataFiles(new ProjectFiles('/nowhere')), env: {} },
      ...{ broken: new WeakSet<never>(), lookups: [] },
    };
    const [document] = readDocuments('a.yaml', catalogue, context) ?? [];
    expect(problems.hasErrors).toBe(false);
    return (plain(document) as { resources: { pets: { properties: unknown } } }).resources.pets.properties;
  }
});
