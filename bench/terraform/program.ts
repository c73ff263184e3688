import { spawnSync } from 'node:child_process';

/** Version of the `terraform` on the PATH; undefined when there is none that answers. */
export function terraformVersion(): string | undefined {
  const { status, stdout } = spawnSync('terraform', ['version', '-json'], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  try {
    return (JSON.parse(stdout) as { readonly terraform_version: string }).terraform_version;
  } catch {
    return undefined;
  }
}
