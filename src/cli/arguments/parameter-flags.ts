import { defined } from '@platform-sync/core/model/defined';
import { resolve } from 'node:path';
import type { OpenOptions } from '@platform-sync/engine/api';
import { UsageError } from '../process/usage-error.js';
import type { GlobalFlags } from './global-flags.js';

/** What `--var` and `--var-file` say. Files are relative to the folder the command works in. */
export function parameterOptions(
  flags: Pick<GlobalFlags, 'var' | 'var-file'>,
  cwd: string,
): Pick<OpenOptions, 'vars' | 'varFiles'> {
  const files = flags['var-file'];
  return {
    ...defined({
      vars: flags.var === undefined ? undefined : Object.fromEntries(flags.var.map(nameAndValue)),
      varFiles: files?.map((file) => resolve(cwd, file)),
    }),
  };
}

function nameAndValue(text: string): readonly [name: string, value: string] {
  const sign = text.indexOf('=');
  if (sign > 0) return [text.slice(0, sign), text.slice(sign + 1)];
  // What stands there may be a secret: it is not repeated.
  throw new UsageError('--var takes NAME=VALUE', 'for example: --var region=eu');
}
