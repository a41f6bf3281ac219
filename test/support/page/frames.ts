// How long the scripts of a page run in a frame, and the memory that they use, as the browser counts both.
import { strict as assert } from 'node:assert';
import { isObject } from '../../../src/model/value.ts';
import type { Tab } from './browser.ts';

const FRAMES = 30;
const MOST_MS = 50;

/** By what somebody does, the script that does it once; `at` counts the frames. */
export type Actions = Readonly<Record<string, string>>;

/** Measures each action, and prints the median of its frames. Throws if one takes too long. */
export async function measureAll(tab: Tab, what: string, actions: Actions): Promise<void> {
  for (const [name, act] of Object.entries(actions)) {
    const time = await medianFrame(tab, act);
    process.stdout.write(`${what}, ${name}: ${time.toFixed(1)} ms of script a frame\n`);
    assert.ok(time < MOST_MS, `${what}, ${name}: ${time} ms`);
  }
}

/** Prints the heap of the page after garbage collection. */
export async function tellHeap(tab: Tab): Promise<void> {
  await tab.send('HeapProfiler.collectGarbage');
  const heap = await tab.value('performance.memory.usedJSHeapSize');
  process.stdout.write(`heap: ${Math.round(Number(heap) / 2 ** 20)} MiB\n`);
}

async function medianFrame(tab: Tab, act: string): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < FRAMES; at++) times.push(await frameTime(tab, act, at));
  times.sort((one, other) => one - other);
  return times[FRAMES / 2] ?? 0;
}

/** The milliseconds that the page runs scripts, handlers of events included, from an action to the next frame. */
export async function frameTime(tab: Tab, act: string, at = 0): Promise<number> {
  await countProcessorTime(tab);
  const before = await secondsOf(tab, ['ScriptDuration']);
  await tab.value(`new Promise(done => requestAnimationFrame(() => {
    const at = ${at};
    ${act};
    requestAnimationFrame(() => done(true));
  }))`);
  return ((await secondsOf(tab, ['ScriptDuration'])) - before) * 1_000;
}

const ANSWERING = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration'];

/** The milliseconds from an action until its result is laid out. What the page still has to lay out is laid out before. */
export async function answerTime(tab: Tab, act: string): Promise<number> {
  const laidOut = 'document.body.getBoundingClientRect()';
  await countProcessorTime(tab);
  await tab.value(`${laidOut}; true`);
  const before = await secondsOf(tab, ANSWERING);
  await tab.value(`(() => { ${act}; ${laidOut}; })()`);
  return ((await secondsOf(tab, ANSWERING)) - before) * 1_000;
}

/** Has the browser count the time of the processor: a busy machine makes a page no slower. */
async function countProcessorTime(tab: Tab): Promise<void> {
  await tab.send('Performance.disable');
  await tab.send('Performance.enable', { timeDomain: 'threadTicks' });
}

async function secondsOf(tab: Tab, names: readonly string[]): Promise<number> {
  const { metrics } = await tab.send('Performance.getMetrics');
  assert.ok(Array.isArray(metrics));
  const found = metrics.filter(isObject).filter(({ name }) => names.includes(String(name)));
  assert.equal(found.length, names.length);
  return found.reduce((sum, { value }) => sum + Number(value), 0);
}
