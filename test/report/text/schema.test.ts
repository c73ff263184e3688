import { describe, expect, it } from 'vitest';
import { platformPackage } from '../../../src/providers/platform/package.js';
import { resourceSchemaText } from '../../../src/report/text/schema.js';
import { plainStyle } from '../../../src/report/text/style.js';

/** What is told of where a type comes from. */
function originOf(name: string): readonly string[] {
  const type = [...platformPackage.types.values()].find((each) => each.name === name);
  if (type === undefined) throw new Error(name);
  const text = resourceSchemaText(type, plainStyle, platformPackage.originOf?.(type.token));
  return text.slice(text.indexOf('Corrected, because')).split('\n').slice(1);
}

describe('what was corrected of a derived type', () => {
  it('is shown with the reason, the rule that had decided, and what it had said', () => {
    const lines = originOf('GatewayControlPlane');
    const at = lines.findIndex((line) => line.startsWith('  clusterType: Answers show it in the configuration.'));
    expect(lines[at + 1]).toBe('    the rule "create body alone: replaces" said nothing of shown, writeOnly true');
    expect(lines.slice(0, 2)).toEqual([
      '  No two control planes have one name (409).',
      '    the rules said nothing of unique',
    ]);
  });

  it('has the reasons of all corrections that fit it', () => {
    const [why] = originOf('GatewayPluginAiMcpOauth2');
    expect(why).toMatch(/^ {2}A plugin has no name of its own; .* The kind of plugin ends with a number/);
  });

  it('is kept with what rules had said, for each field that a correction decided', () => {
    const fields = [...platformPackage.types.keys()].flatMap((token) => {
      const { decided = {}, corrections = {}, overruled = {} } = platformPackage.originOf?.(token) ?? {};
      return Object.keys(decided)
        .filter((field) => decided[field] === 'correction')
        .map((field) => ({ why: corrections[field], ...overruled[field] }));
    });
    expect(fields.length).toBeGreaterThan(10);
    expect(fields.filter(({ why, rule, said = {} }) => !why || !rule || Object.keys(said).length === 0)).toEqual([]);
    expect(fields.map(({ rule }) => rule)).not.toContain('correction');
  });
});
