import { describe, expect, it } from 'vitest';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { passingName } from '@platform-sync/engine/plan/passing-name';

const id = '0a1b2c3d-1111-4222-8333-444455556666';
const text = (schema: FieldRule['schema'] = {}): Pick<FieldRule, 'type' | 'references' | 'schema'> => ({
  type: 'string',
  schema: { type: 'string', ...schema },
});

describe('the name that an object steps aside under', () => {
  it.each<[string, Parameters<typeof passingName>[0], string | undefined]>([
    ['has its id', text(), `moving-${id}`],
    ['is described like any', text({ description: 'd', minLength: 1, maxLength: 43 }), `moving-${id}`],
    ['is shorter where it has to be', text({ maxLength: 42 }), 'moving-827a851c9dfc327f'],
    ['has no hyphen where there may be none', text({ pattern: '^[a-z0-9]+$' }), 'moving827a851c9dfc327f'],
    ['is none where all are too long', text({ maxLength: 20 }), undefined],
    ['is none where all are too short', text({ minLength: 44 }), undefined],
    ['is none where none matches', text({ pattern: '\\.yaml$' }), undefined],
    ['fits a pattern of classes', text({ pattern: '^[0-9a-zA-Z.\\-_~]+$' }), `moving-${id}`],
    ['is none where a pattern might never end', text({ pattern: '^(([a-z0-9-])+.)+$' }), undefined],
    ['is none where a pattern repeats too often', text({ pattern: '^a*a*a*a*a*$' }), undefined],
    ['is none where nobody can say what matches', text({ pattern: '(?=a)' }), undefined],
    ['is none of a choice', text({ enum: ['a', 'b'] }), undefined],
    ['is none of a format', text({ format: 'email' }), undefined],
    ['is no id of another object', { ...text(), references: 'Api' }, undefined],
    ['is no number', { type: 'number', schema: { type: 'number' } }, undefined],
  ])('%s', (_name, rule, expected) => {
    expect(passingName(rule, id)).toBe(expected);
  });
});
