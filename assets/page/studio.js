// The page of a studio: shows the parts that its server sends, and sends questions to the server. The token comes in the fragment
// of the address, which browsers never send, and is sent in a header, which no other site can set.

const TOKEN = 'token';
const AGAIN = 2000;

/** @type {(id: string) => HTMLElement} */
const byId = id => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
};

/** @type {(id: string) => HTMLInputElement} */
const field = id => /** @type {HTMLInputElement} */ (byId(id));

/** The last question, which is asked again when the files change. @type {string | undefined} */
let question;

/** The token of the address. It is kept for a reload of this tab, and taken out of the address, which people copy. */
function ownToken() {
  const given = location.hash.slice(1);
  if (/^[\w-]{20,}$/.test(given)) {
    sessionStorage.setItem(TOKEN, given);
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem(TOKEN) ?? '';
}

const token = ownToken();
const headers = { authorization: `Bearer ${token}` };

/** @type {(text: string) => void} */
function sayConnection(text) {
  if (byId('connection').textContent !== text) byId('connection').textContent = text;
}

/** Markup of the server as nodes. Scripts in it do not run, because the policy of the page allows only this script. */
/** @type {(markup: string) => Node[]} */
function nodesOf(markup) {
  const parsed = new DOMParser().parseFromString(markup, 'text/html');
  return [...parsed.body.childNodes];
}

/** Replaces a part. Elements that were unfolded in the part stay unfolded. */
/** @type {(id: string, markup: string) => void} */
function showPart(id, markup) {
  const place = byId(id);
  const open = new Set(
    [...place.querySelectorAll('details[open] > summary')].map(one => one.textContent),
  );
  place.replaceChildren(...nodesOf(markup));
  for (const summary of place.querySelectorAll('summary'))
    if (open.has(summary.textContent)) summary.parentElement?.setAttribute('open', '');
}

/** @type {(id: string, names: string[]) => void} */
function offer(id, names) {
  const options = names.map(name => {
    const option = document.createElement('option');
    option.value = name;
    return option;
  });
  byId(id).replaceChildren(...options);
}

/**
 * @typedef {{ markup: string, data: string }} Views
 * @typedef {{ parts?: Record<string, string>, names?: { sources: string[], targets: string[] }, views?: Views }} Update
 */

/** Starts the script of the views, which listens until the signal is aborted. @type {(viewsEnd: AbortSignal) => void} */
let startViews = () => {};

/** Stops the listeners of the previous views. */
let ending = new AbortController();

/** Shows the views with the script of every page about access, which fills them once. What was entered in them stays. */
/** @type {(views: Views) => void} */
function showViews({ markup, data }) {
  const place = byId('part-views');
  const entered = new Map(fieldsIn(place).map(one => [one.id, [one.value, one.checked]]));
  const script = document.createElement('script');
  script.type = 'application/json';
  script.id = 'data';
  script.textContent = data;
  place.replaceChildren(...nodesOf(markup), script);
  const { state } = document.documentElement.dataset;
  ending.abort();
  ending = new AbortController();
  startViews(ending.signal);
  for (const one of fieldsIn(place)) {
    const [value, checked] = entered.get(one.id) ?? [one.value, one.checked];
    if (value === one.value && checked === one.checked) continue;
    Object.assign(one, { value, checked });
    one.dispatchEvent(new Event('input'));
  }
  const chosen = place.querySelector(`#state input[value="${state}"]`);
  if (chosen instanceof HTMLInputElement) chosen.click();
}

/** @type {(place: HTMLElement) => HTMLInputElement[]} */
const fieldsIn = place =>
  [...place.querySelectorAll('input, select')].flatMap(one =>
    one.id === '' ? [] : /** @type {HTMLInputElement} */ (one),
  );

/** @type {(update: Update) => void} */
function show({ parts = {}, names, views }) {
  for (const [id, markup] of Object.entries(parts)) showPart(id, markup);
  if (views !== undefined) showViews(views);
  if (names === undefined) return;
  offer('ask-sources', names.sources);
  offer('ask-destinations', names.targets);
  if (question !== undefined) void ask(question);
}

/** Shows every update until the connection ends. */
async function follow() {
  const response = await fetch('/updates', { headers });
  if (response.status === 401) return refused();
  if (!response.ok || response.body === null) throw new Error(`${response.status}`);
  sayConnection('');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return true;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') show(JSON.parse(line));
  }
}

function refused() {
  const text =
    token === ''
      ? 'This address has no token. Open the whole address that meshform studio printed.'
      : 'This token is of an earlier start. Open the address that meshform studio printed last.';
  sayConnection(text);
  return false;
}

async function followAlways() {
  const isMeant = await follow().catch(() => true);
  if (!isMeant) return;
  sayConnection('Not connected: meshform studio has ended, or does not answer.');
  setTimeout(followAlways, AGAIN);
}

/** @type {(body: string) => Promise<void>} */
async function ask(body) {
  const response = await fetch('/ask', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  }).catch(() => undefined);
  if (response?.ok) byId('answer').replaceChildren(...nodesOf(await response.text()));
}

byId('ask').addEventListener('submit', event => {
  event.preventDefault();
  const state = document.getElementById('ask-in') === null ? 'files' : field('ask-in').value;
  const [from, to, port] = ['ask-from', 'ask-to', 'ask-port'].map(id => field(id).value.trim());
  question = JSON.stringify({ from, to, port, in: state });
  void ask(question);
});

document.getElementById('refresh')?.addEventListener('click', () => {
  void fetch('/refresh', { method: 'POST', headers }).catch(() => undefined);
});

/** Begins. `start` fills the views of a page about access. */
/** @type {(start: (viewsEnd: AbortSignal) => void) => void} */
export function openStudio(start) {
  startViews = start;
  void followAlways();
}
