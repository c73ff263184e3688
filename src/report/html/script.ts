/**
 * The page's whole script: it hides what the filters leave out, opens what an address in the URL names, moves between
 * changes by keyboard, and copies a command. It makes no element from data and asks for nothing.
 */
export const pageScript = `
(() => {
'use strict';
const byId = (id) => document.getElementById('ui:' + id);
const root = document.documentElement;
const themes = ['auto', 'light', 'dark'];
const theme = byId('theme');
let chosen = 'auto';
const paint = () => {
  if (chosen === 'auto') delete root.dataset.theme; else root.dataset.theme = chosen;
  theme.lastElementChild.textContent = 'Colours: ' + chosen;
};
theme.hidden = false;
theme.addEventListener('click', () => {
  chosen = themes[(themes.indexOf(chosen) + 1) % themes.length];
  try { localStorage.setItem('platform-sync-theme', chosen); } catch { /* not kept where storage is off */ }
  paint();
});
try { chosen = themes.includes(localStorage.getItem('platform-sync-theme')) ? localStorage.getItem('platform-sync-theme') : 'auto'; } catch { /* off */ }
paint();

let printing;
addEventListener('beforeprint', () => {
  printing = [...document.querySelectorAll('details:not([open])')];
  for (const item of printing) item.open = true;
});
addEventListener('afterprint', () => { for (const item of printing ?? []) item.open = false; });

for (const button of document.querySelectorAll('.copy button')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const block = button.parentElement.querySelector('pre');
    let done = true;
    // Selected as well: whoever may not write to the clipboard copies by hand.
    getSelection().selectAllChildren(block);
    try { await navigator.clipboard.writeText(block.textContent); } catch { done = document.execCommand('copy'); }
    button.textContent = done ? 'Copied' : 'Selected';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}

const list = byId('list');
if (list === null) return;
const steps = [...list.children];
const form = byId('filters');
const visible = () => steps.filter((step) => !step.hidden);
let clear = () => {};
if (form !== null) {
const texts = new Map();
const textOf = (step) => {
  if (!texts.has(step)) texts.set(step, step.textContent.toLowerCase());
  return texts.get(step);
};
const filter = () => {
  const actions = new Set([...form.querySelectorAll('[name=action]:checked')].map((box) => box.value));
  const type = byId('type').value;
  const words = byId('text').value.toLowerCase().split(/\\s+/).filter(Boolean);
  const danger = byId('hurts').checked;
  for (const step of steps) {
    step.hidden = !(actions.has(step.dataset.action) && (type === '' || step.dataset.type === type)
      && (!danger || 'danger' in step.dataset) && words.every((word) => textOf(step).includes(word)));
  }
  byId('shown').textContent = visible().length + ' of ' + steps.length + ' shown';
};
clear = () => { form.reset(); filter(); };
let waiting;
form.addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(filter, 60); });
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('keydown', (event) => { if (event.key === 'Escape') clear(); });
byId('expand').addEventListener('click', (event) => {
  const open = event.target.textContent === 'Open all';
  for (const step of visible()) step.querySelector('details').open = open;
  event.target.textContent = open ? 'Close all' : 'Open all';
});
filter();
}

list.addEventListener('keydown', (event) => {
  if (!event.target.matches('.step > details > summary')) return;
  const shown = visible();
  const at = shown.indexOf(event.target.closest('.step'));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key];
  const next = to === undefined ? undefined : shown[to];
  if (next === undefined) return;
  event.preventDefault();
  next.querySelector('summary').focus();
});

const reveal = () => {
  let id = location.hash.slice(1);
  try { id = decodeURIComponent(id); } catch { /* taken as it is */ }
  const step = steps.find((item) => item.id === id);
  if (step === undefined) return;
  if (step.hidden) clear();
  const details = step.querySelector('details');
  details.open = true;
  step.scrollIntoView();
  details.querySelector('summary').focus({ preventScroll: true });
};
addEventListener('hashchange', reveal);
reveal();
})();
`;
