import type { DiagnosticCodes } from '../../engine/model/diagnostic.js';

/** What the HTTP layer reports about a call that did not succeed. */
export const httpCodes = {
  unreachable: {
    title: 'The server could not be reached',
    explanation:
      'No connection came about: unknown host, refused, or no route. Nothing was sent. Check `serverUrl`, the name service and any firewall in between; the call was repeated a few times before giving up, or once where nothing listens or nobody knows the host and it never answered before.',
  },
  'certificate-refused': {
    title: "The server's certificate was not accepted",
    explanation:
      'The TLS handshake failed, so nothing was sent. Behind a proxy that re-signs traffic, point `NODE_EXTRA_CA_CERTS` at its authority.',
  },
  'proxy-unusable': {
    title: 'The address of the proxy makes no sense',
    explanation:
      '`HTTPS_PROXY` or `HTTP_PROXY` is set to something that is no http or https address. The value may hold a password and is not shown.',
  },
  'client-certificate-unusable': {
    title: "The client's certificate can't be used",
    explanation:
      '`SYNC_CLIENT_CERT` and `SYNC_CLIENT_KEY` name two PEM files: the certificate (with its chain) and its key. Both have to be there.',
  },
  'client-certificate-refused': {
    title: "The server did not accept the client's certificate",
    explanation:
      'The server asks for a certificate of the client (mTLS) and ended the handshake, so nothing was carried out. Name one that it trusts by `SYNC_CLIENT_CERT` and `SYNC_CLIENT_KEY`; the chain belongs into the first file.',
  },
  'outcome-unknown': {
    title: 'It is not known whether a write was carried out',
    explanation:
      'The request was sent, and then came a time-out, a broken connection or a server error. It may or may not have taken effect. Nothing is sent twice blindly: the next plan or apply looks the object up and goes on from what it finds.',
  },
  'server-unavailable': {
    title: 'The server could not answer',
    explanation:
      'A read failed with a server error, a time-out or a broken connection, also after several attempts. Try again later.',
  },
  'rate-limited': {
    title: 'The server asked to wait longer than a run waits',
    explanation:
      'Requests were refused with 429, and the wait asked for is longer than the time one call may take. Lower `--concurrency`, set `requestsPerMinute`, or try again after the time named.',
  },
  unauthenticated: {
    title: 'The token was not accepted (401)',
    explanation:
      'The token is missing, expired, revoked or of another organization. The message names the setting or variable it came from.',
  },
  forbidden: {
    title: 'The token lacks a right (403)',
    explanation:
      'The token is valid, but its owner may not do this, or a quota is used up. Rights given a moment ago can take some seconds to arrive.',
  },
  'object-not-found': {
    title: 'The object does not exist (404)',
    explanation: 'The path named an object that is not there, or that the token may not see.',
  },
  conflict: {
    title: 'The object collides with another one (409)',
    explanation:
      'Something with the same name, slug or link exists already. Bring the existing object under management with `sync import ADDRESS ID` or `sync adopt`, or choose another name.',
  },
  'rejected-value': {
    title: 'The platform refused a value (400)',
    explanation:
      'The platform checked the request and named the field and the rule that was broken. Change the value in the catalogue.',
  },
  'request-rejected': {
    title: 'The platform refused the request',
    explanation: 'The request was refused without naming a field. What the platform said stands in the message.',
  },
  'moving-list': {
    title: 'The list is moving',
    explanation:
      'Others made or deleted objects while the list was read, and once more when it was read again. Nothing in it was compared, and nothing is created there. Run the command again a little later.',
  },
  'unexpected-answer': {
    title: 'The answer was not what the platform is known to answer',
    explanation:
      'The status or the body does not fit the call: a redirect, a page of a proxy, JSON without what was asked for. Check that `serverUrl` is the API address and not a web page.',
  },
} as const satisfies DiagnosticCodes;

export type HttpCode = keyof typeof httpCodes;
