// Five questions that people bring to a page, each answered by the page alone within five clicks or key presses; and the views of a
// plan as they see them first.
import { strict as assert } from 'node:assert';
import { join, resolve } from 'node:path';
import type { Tab } from '../browser.ts';
import { accessPage, axeFindings, type Checking, picture, show, silent } from '../pageCheck.ts';
import { planPage } from '../planPage.ts';

const COMPANY = resolve(import.meta.dirname, '../../../../examples/company');
const MOST = 5;

/** Answers the five questions, and looks at the views of the plan. */
export async function check({ browser, folder }: Checking): Promise<void> {
  const plan = await browser.open(await planPage(folder, 'tasks-plan'));
  const access = await browser.open(await accessPage(folder, 'tasks-access', [COMPANY]));
  for (const tab of [plan, access]) await show(tab, { width: 1440, scheme: 'light' });
  await answered('what this pull request opens', plan, async ({ sees }) => {
    await sees('+ gained', 'group/data-team', 'network_resource/production/orders-db', 'tcp/5432');
  });
  await answered('which step cuts whom', plan, async ({ sees }) => {
    await sees('takes access from', 'group/ci-runners', 'update policy["runners test against');
  });
  await answered('who reaches the ledger', access, async ({ clicks, types, sees }) => {
    await clicks('#matrix-tab');
    await clicks('#to');
    await types('led');
    await sees('ledger', 'finance-team', 'auditors');
  });
  await answered('why on-call cannot ping the replica', access, async ({ clicks, types, sees }) => {
    await clicks('#matrix-tab');
    await clicks('#from');
    await types('on');
    await clicks('.grid .row:has([title="group/on-call"]) [data-column="5"]');
    await sees('group/on-call → network_resource/production', 'ping (ICMP)');
  });
  await answered('which rule can go', plan, async ({ clicks, sees }) => {
    await clicks('#rules-tab');
    await sees('Rules that can go', 'second look', 'remove one of the two');
  });
  await plan.value(`document.getElementById('change-tab').click()`);
  assert.deepEqual(await axeFindings(plan), []);
  await checkFirstSight(plan, folder);
  for (const tab of [plan, access]) await silent(tab);
}

/** What somebody does at a page, and what they find there. */
interface Person {
  readonly clicks: (selector: string) => Promise<void>;
  readonly types: (text: string) => Promise<void>;
  /** Each text must be in the window. */
  readonly sees: (...texts: readonly string[]) => Promise<void>;
}

async function answered(
  question: string,
  tab: Tab,
  act: (person: Person) => Promise<void>,
): Promise<void> {
  await tab.go(String(await tab.value('location.href.split("#")[0]')));
  let count = 0;
  await act({
    clicks: async selector => {
      count += 1;
      await clickOn(tab, selector);
    },
    types: async text => {
      count += text.length;
      for (const character of text) await tab.send('Input.insertText', { text: character });
    },
    sees: async (...texts) => {
      for (const text of texts)
        assert.equal(await tab.value(inSight(text)), true, `${question}: ${text}`);
    },
  });
  assert.ok(count <= MOST, `${question}: ${count} clicks and key presses`);
  process.stdout.write(`${question}: ${count} clicks and key presses\n`);
}

/** A click with a mouse, at what is in the window and not covered. */
async function clickOn(tab: Tab, selector: string): Promise<void> {
  const point = await tab.value(`(() => {
    const found = document.querySelector(${JSON.stringify(selector)});
    const { left, top, width, height } = found.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return found.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
  })()`);
  assert.ok(Array.isArray(point), `${selector} is in sight`);
  const at = { x: Number(point[0]), y: Number(point[1]), button: 'left', clickCount: 1 };
  await tab.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at });
  await tab.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at });
}

/** Whether an element with this text is in the window. */
const inSight = (text: string): string => `[...document.querySelectorAll('main *')].some(one => {
  if (!one.checkVisibility() || !one.textContent.includes(${JSON.stringify(text)})) return false;
  if ([...one.children].some(child => child.textContent.includes(${JSON.stringify(text)}))) return false;
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
})`;

/** Names are whole, what has room is beside each other, and no explanation pushes a view out of sight. */
async function checkFirstSight(tab: Tab, folder: string): Promise<void> {
  await clickOn(tab, '#matrix-tab');
  const headers = `[...document.querySelectorAll('.grid .within > *')].map(one => one.textContent)`;
  const names = await tab.value(headers);
  assert.ok(Array.isArray(names) && names.includes('warehouse/botlek'), String(names));
  assert.ok(
    names.every(name => !String(name).includes('…')),
    String(names),
  );
  const hidden = `(box => box.scrollWidth - box.clientWidth)(document.getElementById('grid'))`;
  assert.equal(await tab.value(hidden), 0, 'the matrix needs no scroll bar');
  await show(tab, { width: 1024, scheme: 'light' });
  assert.deepEqual(await tab.value(BROKEN), [], 'headers of networks');
  await show(tab, { width: 1440, scheme: 'light' });
  await clickOn(tab, '#map-tab');
  await tab.value(`document.querySelector('#map-view').scrollIntoView()`);
  const boxes = `[...document.querySelectorAll('.map-drawing:not([hidden]) .box')].map(one => one.textContent).join()`;
  for (const name of ['production/orders-db ', 'staging/staging-apps'])
    assert.ok(String(await tab.value(boxes)).includes(name), name);
  await show(tab, { width: 390, scheme: 'light' });
  for (const [part, place] of [
    ['map', '#map-view'],
    ['matrix', '#grid'],
  ] as const) {
    await tab.go(String(await tab.value('location.href.split("#")[0]')));
    await tab.value(`document.getElementById('${part}-tab').click(); scrollTo(0, 0)`);
    const top = `document.querySelector('${place}').getBoundingClientRect().top`;
    const height = Number(await tab.value(top));
    assert.ok(height > 0 && height < 450, `${part} begins at ${height}`);
    await picture(tab, join(folder, `tasks-${part}-390.png`));
  }
}

/** Headers of networks that are higher than their room, or whose words are broken: a word is a text before a place to wrap. */
const BROKEN = `[...document.querySelectorAll('.grid .within > [title]')].filter(cell => {
  const range = document.createRange();
  const texts = [...cell.querySelector('span').childNodes].filter(node => node.nodeType === 3);
  return cell.scrollHeight > cell.clientHeight + 1 ||
    texts.some(text => (range.selectNodeContents(text), range.getClientRects().length > 1));
}).map(cell => cell.title)`;
