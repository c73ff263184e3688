import { expect, test } from 'vitest';
import { readSpecification } from '@platform-sync/sandbox/specification';

test.each([
  ['openapi: 3.1.0\ninfo:\n  title: Pets\n  version: 1.4.0\npaths: {}\n', 'oas3', '1.4.0'],
  ['swagger: "2.0"\ninfo: {title: Pets, version: "2"}\n', 'oas2', '2'],
  ["info:\n  version: '7'\n\n  title: Pets\nasyncapi: 2.6.0\n", 'asyncapi', '7'],
  ['{"openapi": "3.0.3", "info": {"title": "Pets", "version": "1.0.0"}}', 'oas3', '1.0.0'],
  ['  {"swagger": "2.0"}', 'oas2', undefined],
  ['openapi: 3.0.0\npaths:\n  /a:\n    get:\n      x-info:\n        version: 9\n', 'oas3', undefined],
])('%j', (content, type, version) => {
  const read = readSpecification(content);
  expect(read.type).toBe(type);
  expect(read.version).toBe(version);
  expect(read.messages).toEqual([]);
});

test.each(['', 'hello', '{"openapi": ', '[1]', '{"openapi": 3}'])('%j is taken, with a message', (content) => {
  expect(readSpecification(content)).toEqual({ messages: [expect.any(String)] });
});
