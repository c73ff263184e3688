import { parseEvents } from 'js-yaml';
import { mayBeDeeper, mostYamlLevels } from '@platform-sync/core/model/yaml-depth';

/** Is the text nested deeper than the parser of record can follow? */
export function isTooDeepForYaml(text: string): boolean {
  if (!mayBeDeeper(text)) return false;
  try {
    parseEvents(text, { maxDepth: mostYamlLevels });
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('nesting exceeded');
  }
}
