// The parts of a page as tabs, one at a time, and the state that the views show. Without a script all parts stand below each
// other.

import { viewsEnd } from './viewsEnd.js';

const root = document.documentElement;
const tabs = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('.tabs a')]);

/** @type {(tab: HTMLAnchorElement) => string} */
const partOf = tab => tab.hash.slice(1);

/** @type {(id: string) => HTMLElement | null} */
const panelOf = id => document.getElementById(id);

// The browser's search also finds text in parts that are `hidden="until-found"`, and then shows the part.
function wireTabs() {
  tabs[0]?.closest('ul')?.setAttribute('role', 'tablist');
  for (const tab of tabs) {
    tab.parentElement?.setAttribute('role', 'presentation');
    tab.setAttribute('role', 'tab');
    tab.id = `${partOf(tab)}-tab`;
    tab.setAttribute('aria-controls', partOf(tab));
    const panel = panelOf(partOf(tab));
    panel?.setAttribute('role', 'tabpanel');
    panel?.addEventListener('beforematch', () => showPart(partOf(tab)));
    tab.addEventListener('click', event => {
      event.preventDefault();
      choosePart(partOf(tab));
    });
    tab.addEventListener('keydown', event => moveTab(event, tabs.indexOf(tab)));
  }
}

/** @type {(event: KeyboardEvent, at: number) => void} */
function moveTab(event, at) {
  /** @type {Record<string, number>} */
  const places = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: tabs.length - 1,
  };
  const to = places[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const tab = tabs.at(to % tabs.length);
  if (tab) choosePart(partOf(tab));
  tab?.focus();
}

/** @type {(id: string) => void} */
function choosePart(id) {
  history.replaceState(null, '', `#${id}`);
  showPart(id);
}

/** @type {(id: string) => void} */
function showPart(id) {
  for (const tab of tabs) {
    const isShown = partOf(tab) === id;
    tab.setAttribute('aria-selected', String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
    const panel = panelOf(partOf(tab));
    if (isShown) panel?.removeAttribute('hidden');
    else panel?.setAttribute('hidden', 'until-found');
  }
  root.dataset.view = id;
  document.dispatchEvent(new CustomEvent('viewchange'));
}

/**
 * Shows the part to which the fragment of the address leads: the part itself, or the part around an element.
 * @type {() => void}
 */
function showAddressed() {
  const target =
    location.hash.length > 1 ? panelOf(decodeURIComponent(location.hash.slice(1))) : null;
  const part = target?.closest('main > section')?.id;
  const first = tabs[0] && partOf(tabs[0]);
  const id = tabs.some(tab => partOf(tab) === part) ? part : first;
  if (id !== undefined) showPart(id);
  if (target && target.id !== id) target.scrollIntoView();
}

/** @type {(state: string) => void} */
function setState(state) {
  root.dataset.state = state;
  document.dispatchEvent(new CustomEvent('statechange'));
}

const stateControl = document.getElementById('states');
root.dataset.state = stateControl ? 'difference' : 'after';
if (stateControl) {
  stateControl.hidden = false;
  stateControl.addEventListener('change', event => {
    if (event.target instanceof HTMLInputElement) setState(event.target.value);
  });
}
// Another module may change the state.
function showChosenState() {
  const chosen = stateControl?.querySelector(`input[value="${root.dataset.state}"]`);
  if (chosen instanceof HTMLInputElement) chosen.checked = true;
}
document.addEventListener('statechange', showChosenState, { signal: viewsEnd });

// On a small screen, the explanation of a view is folded, so that the view stays visible. On a large screen, nothing is folded.
const narrow = matchMedia('(max-width: 40rem), (max-height: 32rem)');
function foldExplanations() {
  for (const part of document.querySelectorAll('details.fold'))
    part.toggleAttribute('open', !narrow.matches);
}
narrow.addEventListener('change', foldExplanations, { signal: viewsEnd });
foldExplanations();

wireTabs();
showAddressed();
addEventListener('hashchange', showAddressed, { signal: viewsEnd });
