// The slider of the steps of an apply: one step is in sight. Without a script, all are listed.

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
