import { describe, expect, test } from 'vitest';
import type { ProviderErrorKind } from '@platform-sync/core/model/provider';
import { answerError, failureError, type CallInfo } from '@platform-sync/rest/http/errors';
import { explainedCodes } from '../../../scripts/generate/errors.js';
import type { FailureKind, Method } from '@platform-sync/rest/http/retry';
import { HttpFailure } from '@platform-sync/rest/http/transport';

function call(method: Method = 'GET', more: Partial<CallInfo> = {}): CallInfo {
  return { method, origin: 'https://api.example.com', path: '/v3/things', redact: (text) => text, ...more };
}

const html = { 'content-type': 'text/html' };

test.each<[Method, number, ProviderErrorKind, string]>([
  ['GET', 400, 'invalid', 'request-rejected'],
  ['GET', 401, 'unauthenticated', 'unauthenticated'],
  ['GET', 403, 'forbidden', 'forbidden'],
  ['GET', 404, 'not-found', 'object-not-found'],
  ['GET', 410, 'unexpected-answer', 'unexpected-answer'],
  ['POST', 409, 'conflict', 'conflict'],
  ['POST', 415, 'invalid', 'request-rejected'],
  ['POST', 422, 'invalid', 'request-rejected'],
  ['GET', 429, 'rate-limited', 'rate-limited'],
  ['GET', 500, 'unavailable', 'server-unavailable'],
  ['GET', 503, 'unavailable', 'server-unavailable'],
  ['POST', 500, 'ambiguous', 'outcome-unknown'],
  ['PATCH', 502, 'ambiguous', 'outcome-unknown'],
  ['DELETE', 504, 'ambiguous', 'outcome-unknown'],
  ['POST', 408, 'ambiguous', 'outcome-unknown'],
  ['GET', 302, 'unexpected-answer', 'unexpected-answer'],
])('%s answered %i is %s', (method, status, kind, code) => {
  const error = answerError({ status, headers: {}, text: '' }, call(method));
  expect(error).toMatchObject({ kind, status });
  expect(error.diagnostics).toMatchObject([{ severity: 'error', code }]);
  expect(explainedCodes('HttpCode')).toContain(code);
});

test.each<[Method, FailureKind, ProviderErrorKind, string]>([
  ['GET', 'not-sent', 'unavailable', 'unreachable'],
  ['POST', 'not-sent', 'unavailable', 'unreachable'],
  ['POST', 'certificate', 'unavailable', 'certificate-refused'],
  ['GET', 'reset', 'unavailable', 'server-unavailable'],
  ['POST', 'reset', 'ambiguous', 'outcome-unknown'],
  ['PATCH', 'timed-out', 'ambiguous', 'outcome-unknown'],
  ['POST', 'garbled', 'ambiguous', 'outcome-unknown'],
])('%s that failed as %s is %s', (method, failure, kind, code) => {
  const error = failureError(new HttpFailure(failure, 'ESOMETHING'), call(method));
  expect(error.kind).toBe(kind);
  expect(error.diagnostics).toMatchObject([{ code, detail: 'The runtime reports: ESOMETHING.' }]);
});

describe('problem details', () => {
  const body = {
    status: 400,
    title: 'Invalid Request',
    instance: 'trace:123',
    detail: 'Invalid Parameters',
    invalid_parameters: [
      { field: 'portal_ids', rule: 'max_items', maximum: 3, reason: 'too many', source: 'body' },
      { field: 'status', rule: 'enum', choices: ['a', 'b'], reason: 'must be one of' },
      { field: 'filter[x]', rule: 'unknown_property', reason: 'unknown', source: 'query' },
    ],
  };

  test('each refused value is a diagnostic with its catalogue field, rule and limits', () => {
    const fieldOf: CallInfo['fieldOf'] = ({ field, source }) =>
      source === 'query' ? undefined : field === 'portal_ids' ? 'portalIds' : field;
    const error = answerError({ status: 400, headers: {}, text: JSON.stringify(body) }, call('POST', { fieldOf }));
    expect(error.diagnostics).toEqual([
      {
        severity: 'error',
        code: 'rejected-value',
        field: 'portalIds',
        summary: 'The platform refused portalIds: too many.',
        detail: 'Rule: max_items. It allows maximum: 3. Trace id: trace:123.',
      },
      {
        severity: 'error',
        code: 'rejected-value',
        field: 'status',
        summary: 'The platform refused status: must be one of.',
        detail: 'Rule: enum. It allows choices: a, b. Trace id: trace:123.',
      },
      {
        severity: 'error',
        code: 'rejected-value',
        summary: 'The platform refused filter[x]: unknown.',
        detail: 'Rule: unknown_property. Trace id: trace:123.',
      },
    ]);
  });

  test('a conflict without detail (as seen live) still reads well', () => {
    const text = JSON.stringify({ status: 409, title: 'Resource Conflict', instance: 'trace:9' });
    const error = answerError({ status: 409, headers: {}, text }, call('POST'));
    expect(error.diagnostics).toMatchObject([
      {
        summary: 'POST /v3/things: collides with an existing object (409 Resource Conflict).',
        detail: 'Trace id: trace:9.',
      },
    ]);
  });

  test('a plain 400 that says "already exists" is a conflict for a create', () => {
    const text = JSON.stringify({ title: 'Bad Request', detail: 'name: "x" already exists and must be unique.' });
    expect(answerError({ status: 400, headers: {}, text }, call('POST')).kind).toBe('conflict');
    expect(answerError({ status: 400, headers: {}, text }, call('PATCH')).kind).toBe('invalid');
  });
});

describe('bodies of all sorts survive', () => {
  test.each([
    [
      'HTML',
      '<html><head><style>p{}</style><title>Bad gateway</title></head><body><p>nginx</p></body></html>',
      '502 Bad gateway nginx',
    ],
    ['nothing', '', 'status 502'],
    ['half a JSON', '{"title": "Inter', '502 {"title": "Inter'],
    ['a JSON list', '[1, 2]', '502 [1, 2]'],
    ['members of other types', '{"title": 7, "detail": {}, "invalid_parameters": "no"}', 'status 502'],
    ['a lone message', '{"message": "no upstream"}', '502 no upstream'],
    ['control characters', '{"detail": "a\\u001b[31mb\\nc"}', '502 a [31mb c'],
    ['strange entries', '{"invalid_parameters": [null, 5, {"field": 3}]}', '502 is not valid'],
  ])('%s', (_, text, said) => {
    const error = answerError({ status: 502, headers: html, text }, call());
    expect(error.diagnostics[0]?.summary).toBe(`GET /v3/things: the platform could not answer (${said}).`);
  });

  test('a huge one is cut', () => {
    const error = answerError({ status: 500, headers: {}, text: `{"detail": "${'x'.repeat(100_000)}"}` }, call());
    expect(error.diagnostics[0]?.summary.length).toBeLessThan(700);
  });
});

test('what the server says is redacted before it is cut: no half of a secret gets through', () => {
  const secret = 'tok_0123456789abcdef';
  const redact = (text: string): string => text.replaceAll(secret, '(token)');
  const texts = [290, 295, 299].flatMap((before) => [
    'x'.repeat(before) + secret,
    JSON.stringify({ title: secret, detail: 'x'.repeat(600 - before) + secret, instance: secret }),
    JSON.stringify({ invalid_parameters: [{ field: secret, reason: secret, choices: [secret] }] }),
  ]);
  for (const text of texts) {
    const error = answerError({ status: 400, headers: {}, text }, call('POST', { redact }));
    expect(JSON.stringify([error.message, error.diagnostics])).not.toContain('tok_');
  }
});
