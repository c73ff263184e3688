/** How much is told on stderr besides results: problems only, … every wait and read. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** True when messages of `level` are shown at the chosen one. */
export function shows(chosen: LogLevel, level: LogLevel): boolean {
  return logLevels.indexOf(level) <= logLevels.indexOf(chosen);
}
