import type { LabelSettings } from '@platform-sync/core/model/project';
import type { Settings } from '../generated/settings.js';

/** `labels: exact`, or the block with its two settings. */
export function labelSettings(labels: NonNullable<Settings['labels']>): LabelSettings {
  if (typeof labels === 'string') return { own: ownership(labels) };
  const { own, foreign } = labels;
  return {
    own: ownership(own),
    ...(foreign !== undefined && { foreign: (foreign ?? []).flatMap((prefix) => prefix ?? []) }),
  };
}

function ownership(word: 'keys' | 'exact' | undefined): LabelSettings['own'] {
  return word === 'exact' ? 'all' : 'keys';
}
