import { describe, expect, it } from 'vitest';
import { sampleValue } from '@platform-sync/report/text/sample-value';

describe('a sample of a schema', () => {
  it('has what every part of it requires', () => {
    const text = { type: 'string' };
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: text },
      allOf: [
        { required: ['b'], properties: { b: text, deep: { required: ['c'], properties: { c: text } } } },
        {
          required: ['deep', 'b'],
          properties: { deep: { type: 'object', required: ['d'], properties: { d: text } } },
        },
      ],
    };
    expect(sampleValue(schema, 'record')).toEqual({ a: 'a', b: 'b', deep: { c: 'c', d: 'd' } });
  });
});
