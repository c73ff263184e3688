import type { Change, Tone } from '../document/document.js';
import { markup, own, type Html } from './html.js';

type Icon = Tone | Change['tone'] | 'replace' | 'theme';

// Drawn on a grid of 16, in the colour of the text around them.
const paths: Readonly<Record<Icon, string>> = {
  blocked: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM5 8h6',
  incomplete: 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M6 6.4a2 2 0 1 1 2.7 1.9c-.5.2-.7.5-.7 1.1M8 11.4v.1',
  dangerous: 'M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.6v.1',
  changes: 'M10.8 2.2l3 3L5.6 13.4l-3.8.8.8-3.8zM9.200 4l2.800 2.800',
  clean: 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13M5 8.2l2.1 2.1L11.2 6',
  add: 'M8 3v10M3 8h10',
  change: 'M10.8 2.200l3 3L5.600 13.400l-3.800.800.800-3.800z',
  remove: 'M3 8h10',
  state: 'M3 4.500c0-3 10-3 10 0v7c0 3-10 3-10 0zM3 4.500c0 3 10 3 10 0',
  theme: 'M8 1.500a6.500 6.500 0 1 1 0 13a6.500 6.500 0 0 1 0-13M8 1.500v13M8 4h4.800M8 8h6.500M8 12h4.800',
  replace: 'M13 6.5A5.2 5.2 0 0 0 3.600 5M3.500 2v3.200h3.200M3 9.500A5.2 5.2 0 0 0 12.400 11M12.500 14v-3.200H9.300',
};

/** All icons, drawn once for the page. */
export function iconSprite(): Html {
  const symbols = Object.entries(paths).map(
    ([name, path]) => markup`<symbol id="ui:i-${name}" viewBox="0 0 16 16"><path d="${path}"/></symbol>`,
  );
  return markup`<svg width="0" height="0" aria-hidden="true">${symbols}</svg>`;
}

/** The sign of a change: what it does, or that it is a finding. */
export function changeIcon({ verb, kind, tone }: Change): Html {
  return icon(verb === '' ? 'dangerous' : kind === 'replace' ? kind : tone);
}

/** A sign beside words that say the same: nobody has to know it. */
export function icon(name: Icon): Html {
  return markup`<svg class="icon" aria-hidden="true"><use href="#ui:i-${own(name)}"/></svg>`;
}
