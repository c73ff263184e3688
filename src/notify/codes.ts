import type { DiagnosticCodes } from '../engine/model/diagnostic.js';

/** Diagnostics of telling others. */
export const notifyCodes = {
  'webhook-failed': {
    title: 'The webhook did not take the message',
    explanation:
      'The drift check was made and its result stands, but the address under `drift.webhook` (or `--webhook`) could not be reached, did not answer in time, or answered with an error. What it did not take is kept in the state and is part of the message after the next check.',
  },
  'otlp-failed': {
    title: 'The collector did not take the metrics',
    explanation:
      'The drift check was made and its result stands, but the OpenTelemetry collector could not be reached, did not answer in time, answered with an error, or rejected data points. Metrics of one check are not sent again with the next one, which brings its own.',
  },
  'otlp-unusable': {
    title: 'Metrics can not be sent as the variables say',
    explanation:
      '`OTEL_EXPORTER_OTLP_ENDPOINT` (or `--otlp`) asks for metrics, and something about it can not be done: the protocol `grpc` (only HTTP with JSON is spoken), an address that is no URL or holds a password, or headers that would travel unencrypted.',
  },
  'webhook-unset': {
    title: 'A drift setting without its variable',
    explanation:
      'sync.yaml takes a setting under `drift` from an environment variable that is not set here. Nobody is told about this check until it is set.',
  },
} as const satisfies DiagnosticCodes;
