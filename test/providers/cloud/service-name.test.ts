import { describe, expect, test } from 'vitest';
import type { Json } from '@platform-sync/core/model/value';
import { ProviderError } from '@platform-sync/core/model/provider';
import { serviceName } from '@platform-sync/cloud/service-name';

const longLabel = 'a'.repeat(63);
const longName = [longLabel, longLabel, longLabel, 'b'.repeat(61)].join('.');

describe('serviceName', () => {
  test.each([
    ['payments.endpoints.example.cloud', 'payments.endpoints.example.cloud'],
    ['services/payments.endpoints.example.cloud', 'payments.endpoints.example.cloud'],
    ['foo', 'foo'],
    ['3d-printing.example.com', '3d-printing.example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    [longName, longName],
    [`services/${longName}`, longName],
  ])('%s', (argument, name) => {
    expect(serviceName(argument)).toBe(name);
  });

  test.each<[Json | undefined, RegExp]>([
    [undefined, /is missing/],
    [null, /is missing/],
    ['', /is empty/],
    [5, /must be a text/],
    [['a'], /must be a text/],
    ['services/', /is not the name/],
    ['services/services/foo', /is not the name/],
    ['projects/p/foo', /is not the name/],
    ['services/foo/consumers/bar', /is not the name/],
    ['myservices/foo', /is not the name/],
    ['https://example.com/v1/services/foo', /is not the name/],
    ['foo:getIamPolicy', /is not the name/],
    ['foo?x=1', /is not the name/],
    ['foo#x', /is not the name/],
    ['foo%2Fbar', /is not the name/],
    ['{{name}}', /is not the name/],
    ['foo bar', /is not the name/],
    [' foo', /is not the name/],
    ['foo\n', /is not the name/],
    ['..', /is not the name/],
    ['.foo', /is not the name/],
    ['foo.', /is not the name/],
    ['a..b', /is not the name/],
    ['-a.b', /is not the name/],
    ['a-.b', /is not the name/],
    ['a_b', /is not the name/],
    ['bücher.example', /is not the name/],
    [`a${longLabel}`, /is not the name/],
    ['Foo.Example.com', /small letters only/],
    [`${longName}b`, /longer than 253/],
  ])('refuses %j', (argument, message) => {
    const refused = (): unknown => serviceName(argument);
    expect(refused).toThrow(ProviderError);
    expect(refused).toThrow(message);
  });

  test('a long refused name is shown shortened', () => {
    const argument = '/'.repeat(10_000);
    expect(() => serviceName(argument)).toThrow(/^.{0,200}$/);
  });
});
