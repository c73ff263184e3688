import type { DesiredState } from '@platform-sync/core/model/desired';
import type { StackState } from '@platform-sync/core/model/state';
import type { Json } from '@platform-sync/core/model/value';

/** What is recorded is mostly what files say: a text that stands in both is kept once. To whoever reads them nothing changes. */
export function shareTexts({ resources }: DesiredState, recorded: StackState['resources']): void {
  for (const [address, { properties }] of resources) {
    const inputs: Record<string, Json> | undefined = recorded.get(address)?.inputs;
    if (inputs === undefined) continue;
    for (const name in inputs) {
      const said = properties.get(name);
      if (said?.kind === 'literal' && typeof said.value === 'string' && inputs[name] === said.value)
        inputs[name] = said.value;
    }
  }
}
