// The slider through the steps of an apply, which shows one step at a time. Without scripts, the page lists all steps.

const slider = document.getElementById('slider');
const step = document.getElementById('step');
const stepItems = [...document.querySelectorAll('#steps > li')];

function showStep() {
  if (!(step instanceof HTMLInputElement)) return;
  const shown = Number(step.value);
  for (const [at, item] of stepItems.entries()) item.toggleAttribute('hidden', at + 1 !== shown);
  const count = document.getElementById('step-count');
  if (count) count.textContent = `${shown} of ${stepItems.length}`;
}

if (slider && step) {
  slider.hidden = false;
  step.addEventListener('input', showStep);
  showStep();
}

// The filter of the sentences. Of a sentence about several names, only the matching names are shown.
const changes = document.getElementById('changes');
const changeFilter = document.getElementById('change-filter');
const ofChange = document.getElementById('of-change');

function filterChanges() {
  if (!(changes && ofChange instanceof HTMLInputElement)) return;
  const text = ofChange.value.trim().toLowerCase();
  /** @type {(item: Element) => boolean} */
  const matches = item => (item.textContent ?? '').toLowerCase().includes(text);
  for (const item of changes.querySelectorAll('li')) item.toggleAttribute('hidden', !matches(item));
  for (const more of changes.querySelectorAll('details.more'))
    more.toggleAttribute('open', text !== '');
  const lines = [...changes.querySelectorAll('.sentences > li')].filter(
    item => item.parentElement?.closest('li') === null,
  );
  const shown = document.getElementById('changes-shown');
  if (shown) shown.textContent = `${lines.filter(matches).length} of ${lines.length} lines match.`;
}

if (changeFilter && ofChange) {
  changeFilter.hidden = false;
  ofChange.addEventListener('input', filterChanges);
}
