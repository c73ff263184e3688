import type { RestStyle } from '@platform-sync/rest/style';
import { naming } from './convert.js';
import { kinds } from './kinds.js';
import { paging, reservedLabelPrefixes } from './wire.js';

/** What all types of the platform have in common. */
export const style: RestStyle = { naming, paging, kinds, reservedKeys: reservedLabelPrefixes };
