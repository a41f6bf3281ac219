// Filters the table of accounts of a page about a rollout.

import { matches } from './fleetFilter.js';

/** @type {(id: string) => HTMLElement} */
const byId = id => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
};

const rows = [...byId('accounts').querySelectorAll('tbody tr')];

/** @type {(id: string) => string} */
const chosen = id => /** @type {HTMLInputElement} */ (byId(id)).value;

function apply() {
  const filter = { text: chosen('text'), wave: chosen('of-wave'), state: chosen('of-state') };
  let shown = 0;
  for (const row of rows) {
    const isShown = matches(
      filter,
      [...row.children].map(cell => cell.textContent ?? ''),
    );
    row.toggleAttribute('hidden', !isShown);
    if (isShown) shown += 1;
  }
  byId('matching').textContent = `${shown} of ${rows.length} accounts match.`;
}

for (const id of ['text', 'of-wave', 'of-state']) byId(id).addEventListener('input', apply);
apply();
